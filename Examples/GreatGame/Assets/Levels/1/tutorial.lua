-- The signs of Level 1 that teach how to play.
local steps = {
  { at = 8, text = "Run with the arrow keys." },
  { at = 16, text = "Jump over gaps." },
  { at = 27, text = "Slimes are slow. Jump on them." },
  { at = 40, text = "Collect coins for the shop." },
}

local shown = 0

-- Called for every tile that the hero reaches; returns the text to show, or nil.
return function(tile)
  local step = steps[shown + 1]
  if step and tile >= step.at then
    shown = shown + 1
    return step.text
  end
  return nil
end
