// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: lint.mjs KIND FILE [SCHEMA]
//
// Prints what is wrong with a file of GitHub, GitLab or a container, by the tool
// or the schema that is kept for its kind, or with JSON by a schema of its own. Exit
// code 1 if anything is.

import { validateAction, validateWorkflow } from '@action-validator/core';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import { validate as validateContainerfile } from 'dockerfile-utils';
import gitlabSchema from 'gitlab-ci-local/src/schema/index.js';
import { load } from 'js-yaml';
import { readFileSync } from 'node:fs';

const checks = {
  'github-action': text => validateAction(text).errors,
  'github-workflow': text => validateWorkflow(text).errors,
  gitlab: text => {
    const check = new Ajv.default({ strict: false, logger: false })
      .compile(gitlabSchema);
    return check(load(text)) ? [] : check.errors;
  },
  json: (text, schema) => {
    const check = new Ajv2020.default({ allErrors: true, allowUnionTypes: true })
      .compile(JSON.parse(readFileSync(schema, 'utf8')));
    return check(JSON.parse(text)) ? [] : check.errors;
  },
  containerfile: text => validateContainerfile(text),
};

const [kind, file, ...more] = process.argv.slice(2);
const errors = checks[kind](readFileSync(file, 'utf8'), ...more);
for (const error of errors)
  console.log(JSON.stringify(error));
process.exitCode = errors.length ? 1 : 0;
