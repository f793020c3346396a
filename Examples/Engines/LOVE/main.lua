-- Prints a file of a tag, out of the packs of a built folder:
--
--   love . DIR "Level 1" Levels/1/map.json
local json = require("json")

local function bytes(path)
  -- LÖVE's own files end at the game and its save folder; a game that downloads keeps its packs there.
  local file = assert(io.open(path, "rb"))
  local all = file:read("*a")
  file:close()
  return all
end

function love.load(arguments)
  local folder, tag, path = unpack(arguments)
  local index = json(bytes(folder .. "/index.json"))
  local wanted = {}
  for _, id in ipairs(assert(index.tags[tag], "no such tag").packs) do wanted[id] = true end
  for _, pack in ipairs(index.packs) do
    if wanted[pack.id] then
      local zip = love.filesystem.newFileData(bytes(folder .. "/" .. pack.archive.path), pack.id .. ".zip")
      assert(love.filesystem.mount(zip, pack.id .. ".zip", "packs"), "cannot mount " .. pack.archive.path)
    end
  end
  local contents = assert(love.filesystem.read("packs/" .. path))
  io.write(contents)
  love.event.quit()
end

-- Without this an error waits for a key.
function love.errorhandler(message)
  io.stderr:write(tostring(message), "\n")
  return function() return 1 end
end
