;;; barricade.el --- Findings of barricade in CUDA files -*- lexical-binding: t -*-
;;
;; Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;;
;;; Commentary:
;;
;; Starts `barricade --lsp' for CUDA files, by Eglot.  Put this into init.el.
;; For Emacs 28 with the package eglot, and for Emacs 29 and later.
;;
;;; Code:

(require 'eglot)

;; CUDA files are C++ to Emacs: a mode of their own keeps other servers for C++.
(define-derived-mode barricade-cuda-mode c++-mode "CUDA")
(add-to-list 'auto-mode-alist '("\\.cuh?\\'" . barricade-cuda-mode))

;; More of the command's options go here: "-p" "build" "--explain" ...
(add-to-list 'eglot-server-programs
             '((barricade-cuda-mode :language-id "cuda") "barricade" "--lsp"))
(add-hook 'barricade-cuda-mode-hook #'eglot-ensure)

;;; barricade.el ends here
