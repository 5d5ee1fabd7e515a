;;; emacs_lsp_mode.el --- What a user of clangd does in Emacs -*- lexical-binding: t -*-
;;
;; Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;;
;;; Commentary:
;;
;; In an Emacs that has loaded editors/emacs/barricade-lsp-mode.el: opens k.cu,
;; which clangd and barricade look after, sees what both say, applies barricade's
;; action.  Prints what is there after each step, as lines "STEP: JSON".
;;
;;; Code:

(load (expand-file-name "steps.el" (file-name-directory load-file-name)) nil t)

(defun all-diagnostics ()
  (gethash (lsp--fix-path-casing buffer-file-name) (lsp-diagnostics)))

(defun of-source (source)
  (seq-filter (lambda (d) (equal (gethash "source" d) source))
              (append (all-diagnostics) nil)))

(setq patience 100
      lsp-auto-guess-root t
      lsp-enable-snippet nil
      lsp-restart 'ignore
      lsp-warn-no-matched-clients nil
      lsp-diagnostics-provider :none)
(find-file "k.cu")
(buffer-enable-undo)
;; In batch mode nobody idles: what was deferred is done now.
(lsp)

(wait-for "finding" (lambda () (= (length (of-source "barricade")) 1)))
(wait-for "diagnostics of clangd" (lambda () (of-source "clang")))
(say 'servers (sort (mapcar (lambda (w)
                              (symbol-name (lsp--client-server-id (lsp--workspace-client w))))
                            (lsp-workspaces))
                    #'string<))

(let ((before (text))
      (found (gethash "range" (car (of-source "barricade")))))
  (goto-char (point-min))
  (forward-line (gethash "line" (gethash "start" found)))
  (lsp-execute-code-action
   (or (seq-find (lambda (a) (string-prefix-p "Apply artificial" (gethash "title" a)))
                 (lsp-code-actions-at-point))
       (progn (princ "failed: no such action\n") (kill-emacs 1))))
  (wait-for "change" (lambda () (not (equal (text) before))))
  (say 'applied (text)))
(set-buffer-modified-p nil)
(kill-emacs 0)

;;; emacs_lsp_mode.el ends here
