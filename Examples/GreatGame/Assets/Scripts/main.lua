-- Starts the game: asks for what a level needs, then runs it.
local game = {}

game.alwaysThere = { "Common Textures", "Common Sounds" }

-- The tags to ask for before a level (or a part of it) may start.
function game.tagsFor(level, part)
  local tags = {}
  for _, tag in ipairs(game.alwaysThere) do
    tags[#tags + 1] = tag
  end
  local name = "Level " .. level
  if part then
    name = name .. " Part " .. part
  end
  tags[#tags + 1] = name
  return tags
end

-- Loads the level once `resources` has fetched its tags.
function game.start(resources, level, part, onReady)
  resources.request(game.tagsFor(level, part), function(ok, message)
    if ok then
      onReady(level, part)
    else
      resources.report("loading.wait", message)
    end
  end)
end

return game
