-- Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- clangd for CUDA files, as its users have it in Neovim.

local client
vim.api.nvim_create_autocmd("FileType", {
  pattern = "cuda",
  callback = function()
    client = client or vim.lsp.start_client({
      name = "clangd", cmd = { "clangd" }, root_dir = vim.fn.getcwd() })
    vim.lsp.buf_attach_client(0, client)
  end,
})
