-- Reads JSON that is known to be right, as an index that a build wrote: objects and arrays are tables, null is nil.
local escapes = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local function utf8(code)
  if code < 0x80 then return string.char(code) end
  if code < 0x800 then return string.char(0xC0 + math.floor(code / 64), 0x80 + code % 64) end
  return string.char(0xE0 + math.floor(code / 4096), 0x80 + math.floor(code / 64) % 64, 0x80 + code % 64)
end

local read

local function text(json, at)
  local parts = {}
  while true do
    local plain, stop, next = json:match('^([^"\\]*)(["\\])()', at)
    parts[#parts + 1] = plain
    if stop == '"' then return table.concat(parts), next end
    local letter = json:sub(next, next)
    if letter == "u" then
      parts[#parts + 1] = utf8(tonumber(json:sub(next + 1, next + 4), 16))
      at = next + 5
    else
      parts[#parts + 1] = escapes[letter] or letter
      at = next + 1
    end
  end
end

local function list(json, at, close, entry)
  local result = {}
  while true do
    at = json:match("^[%s,]*()", at)
    if json:sub(at, at) == close then return result, at + 1 end
    at = entry(result, at)
  end
end

function read(json, at)
  at = json:match("^%s*()", at)
  local first = json:sub(at, at)
  if first == '"' then return text(json, at + 1) end
  if first == "[" then
    return list(json, at + 1, "]", function(result, at)
      result[#result + 1], at = read(json, at)
      return at
    end)
  end
  if first == "{" then
    return list(json, at + 1, "}", function(result, at)
      local key, next = text(json, at + 1)
      result[key], next = read(json, json:match("^%s*:()", next))
      return next
    end)
  end
  local word, next = json:match("^([%w%.%+%-]+)()", at)
  if word == "null" then return nil, next end
  if word == "true" or word == "false" then return word == "true", next end
  return tonumber(word), next
end

return function(json) return (read(json, 1)) end
