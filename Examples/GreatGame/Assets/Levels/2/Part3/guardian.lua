-- The Guardian at the end of Level 2: walks, throws rocks, and wakes the lava when it is almost beaten.
local Guardian = { health = 12, state = "sleeping", clock = 0 }
Guardian.__index = Guardian

function Guardian.new()
  return setmetatable({}, Guardian)
end

function Guardian:hit(damage)
  self.health = math.max(0, self.health - damage)
  if self.health == 0 then
    self.state = "beaten"
  elseif self.health <= 4 then
    self.state = "raging"
  end
end

function Guardian:update(seconds, heroDistance)
  self.clock = self.clock + seconds
  if self.state == "sleeping" and heroDistance < 8 then
    self.state = "awake"
    return "roar"
  elseif self.state == "awake" and self.clock >= 2.5 then
    self.clock = 0
    return "throw-rock"
  elseif self.state == "raging" and self.clock >= 1.5 then
    self.clock = 0
    return "raise-lava"
  end
  return nil
end

return Guardian
