// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filters of the report. Without it the page shows everything.
'use strict';
{
  const all = selector => [...document.querySelectorAll(selector)];
  const one = selector => document.querySelector(selector);

  const findings = all('details.finding');
  const files = all('section.file');
  const standings = all('#standings input');
  const rule = one('#rule');
  const file = one('#file');
  const words = one('#words');
  const shown = one('#shown');

  const searchable = new Map(
    findings.map(f => [f, f.querySelector('summary').textContent.toLowerCase()]));

  function isWanted(finding) {
    const { standing, rule: itsRule, file: itsFile } = finding.dataset;
    return standings.some(box => box.checked && box.value === standing)
      && (!rule.value || rule.value === itsRule)
      && (!file.value || file.value === itsFile)
      && words.value.toLowerCase().split(/\s+/)
        .every(word => searchable.get(finding).includes(word));
  }

  function filter() {
    let count = 0;
    for (const finding of findings) {
      finding.hidden = !isWanted(finding);
      count += !finding.hidden;
    }
    const narrowed = count < findings.length;
    for (const section of files)
      section.hidden = narrowed
        && !section.querySelector('details.finding:not([hidden])');
    shown.value = narrowed
      ? `${count} of ${findings.length} findings`
      : `${count} finding${count === 1 ? '' : 's'}`;
    one('#nothing').hidden = count > 0 || findings.length === 0;
  }

  function openAll(open) {
    for (const finding of findings)
      if (!finding.hidden)
        finding.open = open;
  }

  function openTarget() {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target || !target.matches('details'))
      return;
    if (target.hidden)
      showAll();
    target.open = true;
    target.scrollIntoView();
    target.querySelector('summary').focus({ preventScroll: true });
  }

  function showAll() {
    for (const box of standings)
      box.checked = true;
    rule.value = file.value = words.value = '';
    filter();
  }

  // The finding after (or before) the one that has the focus.
  function step(by) {
    const visible = findings.filter(finding => !finding.hidden);
    const now = visible.findIndex(f => f.contains(document.activeElement));
    const next = visible[now < 0 ? (by > 0 ? 0 : visible.length - 1) : now + by];
    if (!next)
      return;
    next.querySelector('summary').focus();
    next.scrollIntoView({ block: 'nearest' });
  }

  // The changes of a file, as `git apply` takes them.
  function patchOf(button) {
    const { path } = button.dataset;
    const lines = [`--- a/${path}`, `+++ b/${path}`];
    const take = (sign, side) => [...side.children].map(line => sign + line.textContent);
    const first = side => Number(side.firstElementChild?.dataset.line ?? 0);
    for (const hunk of button.parentElement.querySelectorAll('.hunk')) {
      const sides = [...hunk.children].map(block => [...block.children]);
      const size = which => sides.reduce(
        (sum, side) => sum + side[which].childElementCount, 0);
      const start = which => sides.map(side => first(side[which])).find(Boolean) ?? 0;
      lines.push(`@@ -${start(0)},${size(0)} +${start(1)},${size(1)} @@`);
      [...hunk.children].forEach((block, number) => {
        const [before, after] = sides[number];
        lines.push(...block.matches('.same')
          ? take(' ', before) : [...take('-', before), ...take('+', after)]);
      });
    }
    return lines.join('\n') + '\n';
  }

  async function copyPatch(event) {
    const button = event.currentTarget, name = button.textContent;
    try {
      await navigator.clipboard.writeText(patchOf(button));
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'The browser does not let pages copy';
    }
    setTimeout(() => { button.textContent = name; }, 2000);
  }

  const keys = {
    '/': () => words.focus(),
    j: () => step(1),
    k: () => step(-1),
    o: () => openAll(true),
    c: () => openAll(false),
  };

  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (event.target.matches('input[type=search], select')) {
      if (event.key === 'Escape')
        event.target.blur();
      return;
    }
    const action = keys[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  });

  one('#filters').addEventListener('input', filter);
  one('#open').addEventListener('click', () => openAll(true));
  one('#close').addEventListener('click', () => openAll(false));
  one('#reset').addEventListener('click', showAll);
  addEventListener('hashchange', openTarget);
  for (const button of all('button.copy')) {
    button.hidden = false;
    button.addEventListener('click', copyPatch);
  }

  one('#filters').hidden = false;
  filter();
  openTarget();
}
