-- Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- Starts `barricade --lsp` for CUDA files. Put this into init.lua, or as a file
-- into ~/.config/nvim/plugin/. For Neovim 0.7 and later.

-- More of the command's options go here: "-p", "build", "--explain", ...
local command = { "barricade", "--lsp" }

-- The folder that one server looks after: the build's or the repository's.
local function root_of(file)
  local folder = vim.fn.fnamemodify(file, ":p:h")
  local mark = vim.fn.findfile("compile_commands.json", folder .. ";")
  if mark == "" then
    mark = vim.fn.finddir(".git", folder .. ";"):gsub("/$", "")
  end
  return mark == "" and folder or vim.fn.fnamemodify(mark, ":p:h")
end

local clients = {} -- by root, where there is no vim.lsp.start (before 0.8)

vim.api.nvim_create_autocmd("FileType", {
  pattern = "cuda",
  callback = function()
    local root = root_of(vim.api.nvim_buf_get_name(0))
    local config = { name = "barricade", cmd = command, root_dir = root }
    if vim.lsp.start then
      vim.lsp.start(config)
    else
      clients[root] = clients[root] or vim.lsp.start_client(config)
      vim.lsp.buf_attach_client(0, clients[root])
    end
  end,
})
