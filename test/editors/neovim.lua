-- Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- What a user does in Neovim, in an editor that was started with the snippet of
-- editors/neovim on k.cu: sees the finding, applies the action, undoes it,
-- types. Prints what is there after each step, as lines "STEP: JSON".

local function say(step, value)
  io.stdout:write(step .. ": " .. vim.fn.json_encode(value) .. "\n")
end

local function fail(what)
  io.stdout:write("failed: " .. what .. "\n")
  vim.cmd("cquit 1")
end

local function wait_for(what, condition)
  if not vim.wait(60000, condition, 20) then
    fail("no " .. what)
  end
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n")
end

local function of_source(source)
  return vim.tbl_filter(function(d)
    return d.source == source
  end, vim.diagnostic.get(0))
end

local function findings()
  return vim.tbl_map(function(d)
    return { line = d.lnum, column = d.col, message = d.message }
  end, of_source("barricade"))
end

wait_for("finding", function() return #findings() == 1 end)
say("findings", findings())
local names = vim.tbl_map(function(client)
  return client.name
end, vim.lsp.buf_get_clients(0))
names = vim.tbl_values(names)
table.sort(names)
say("servers", names)
if #names > 1 then
  wait_for("diagnostics of clangd", function() return #of_source("clang") > 0 end)
end

-- The user's own path: the menu of actions, of which one is chosen.
vim.ui.select = function(items, _, on_choice)
  for index, item in ipairs(items) do
    local action = item.action or item[2]
    if vim.startswith(action.title, "Apply artificial") then
      return on_choice(item, index)
    end
  end
  fail("such action")
end
local before = text()
vim.api.nvim_win_set_cursor(0, { findings()[1].line + 1, 0 })
vim.lsp.buf.code_action()
wait_for("change", function() return text() ~= before end)
say("applied", text())

vim.cmd("undo")
say("undone", text() == before)

-- Two lines more, in characters of every width, and no save.
vim.api.nvim_buf_set_lines(0, 0, 0, true, { "// é漢🚀", "//" })
vim.api.nvim_buf_set_text(0, 0, 5, 0, 8, { "字" })
wait_for("finding of the new text", function()
  local now = findings()
  return #now == 1 and now[1].line == 4
end)
say("typed", findings())
vim.cmd("qall!")
