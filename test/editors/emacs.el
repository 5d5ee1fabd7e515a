;;; emacs.el --- What a user does in Emacs -*- lexical-binding: t -*-
;;
;; Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;;
;;; Commentary:
;;
;; In an Emacs that has loaded the snippet of editors/emacs: opens k.cu, sees
;; the finding, applies the action, undoes it, types.  Prints what is there
;; after each step, as lines "STEP: JSON".
;;
;;; Code:

(load (expand-file-name "steps.el" (file-name-directory load-file-name)) nil t)
(require 'flymake)

(defun findings ()
  (mapcar (lambda (d)
            (save-excursion
              (goto-char (flymake-diagnostic-beg d))
              `((line . ,(1- (line-number-at-pos)))
                (column . ,(- (point) (line-beginning-position)))
                (message . ,(flymake-diagnostic-text d)))))
          (flymake-diagnostics)))

(setq eglot-sync-connect 60
      eglot-send-changes-idle-time 0
      ;; In batch mode nobody idles: Flymake is told to look.
      flymake-no-changes-timeout 0)
(find-file "k.cu")
(buffer-enable-undo)
(eglot--maybe-activate-editing-mode)
(unless (eglot-current-server)
  (apply #'eglot (eglot--guess-contact)))

(wait-for "finding" (lambda () (flymake-start) (= (length (findings)) 1)))
(say 'findings (findings))

;; The user's own path: the menu of actions, of which one is chosen.
(defun choose (_prompt actions &rest _)
  (or (seq-find (lambda (title) (string-prefix-p "Apply artificial" title))
                (mapcar (lambda (a) (if (consp a) (car a) a)) actions))
      (progn (princ "failed: no such action\n") (kill-emacs 1))))
(let ((before (text)))
  (goto-char (flymake-diagnostic-beg (car (flymake-diagnostics))))
  (undo-boundary)
  (cl-letf (((symbol-function 'completing-read) #'choose)
            (last-nonmenu-event ?\r)) ; no mouse
    (call-interactively #'eglot-code-actions))
  (wait-for "change" (lambda () (not (equal (text) before))))
  (say 'applied (text))
  (undo-boundary)
  (undo-only)
  (say 'undone (equal (text) before)))

;; Two lines more, in characters of every width, and no save.
(goto-char (point-min))
(insert "// é漢🚀\n//\n")
(goto-char 5)
(delete-char 1)
(insert "字")
(eglot--signal-textDocument/didChange)
(wait-for "finding of the new text"
          (lambda ()
            (flymake-start)
            (let ((now (findings)))
              (and (= (length now) 1) (= (alist-get 'line (car now)) 4)))))
(say 'typed (findings))
(set-buffer-modified-p nil)
(kill-emacs 0)

;;; emacs.el ends here
