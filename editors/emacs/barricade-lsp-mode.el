;;; barricade-lsp-mode.el --- Findings of barricade beside clangd -*- lexical-binding: t -*-
;;
;; Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;;
;;; Commentary:
;;
;; Starts `barricade --lsp' for CUDA files by lsp-mode, which, other than Eglot,
;; has several servers for one file.  Put this into init.el.
;; For Emacs 27 and later with the package lsp-mode.
;;
;;; Code:

(require 'lsp-mode)

(add-to-list 'auto-mode-alist '("\\.cuh?\\'" . c++-mode))
(add-hook 'c++-mode-hook #'lsp-deferred)

;; More of the command's options go here: "-p" "build" "--explain" ...
(lsp-register-client
 (make-lsp-client
  :server-id 'barricade
  :new-connection (lsp-stdio-connection '("barricade" "--lsp"))
  :activation-fn (lambda (file _mode) (string-match-p "\\.cuh?\\'" file))
  :add-on? t))

;;; barricade-lsp-mode.el ends here
