;;; steps.el --- What the sessions of Emacs share -*- lexical-binding: t -*-
;;
;; Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;;
;;; Commentary:
;;
;; A session prints what is there after each step, as lines "STEP: JSON".
;;
;;; Code:

(require 'json)

(defun say (step value)
  (princ (format "%s: %s\n" step (json-encode value))))

(defvar patience 60 "Seconds that a step may take.")

(defun wait-for (what condition)
  "Wait until CONDITION holds, or end and say that there is no WHAT."
  (with-timeout (patience (princ (format "failed: no %s\n" what)) (kill-emacs 1))
    (while (not (funcall condition))
      (accept-process-output nil 0.05))))

(defun text () (buffer-substring-no-properties (point-min) (point-max)))

;;; steps.el ends here
