-- The last fight: three rounds, each faster than the one before.
local rounds = {
  { fireballs = 3, pause = 2.0 },
  { fireballs = 5, pause = 1.4 },
  { fireballs = 8, pause = 0.9 },
}

local function volley(round)
  local shots = {}
  for i = 1, round.fireballs do
    shots[i] = { delay = (i - 1) * 0.2, angle = -60 + 120 * (i - 1) / (round.fireballs - 1) }
  end
  return shots
end

-- Runs the fight as a coroutine that yields what the dragon does next.
return coroutine.wrap(function()
  for number, round in ipairs(rounds) do
    coroutine.yield("round", number)
    coroutine.yield("fire", volley(round))
    coroutine.yield("rest", round.pause)
  end
  coroutine.yield("fall")
end)
