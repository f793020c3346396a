-- Requests a tag through OnDemandC with LuaJIT's FFI, shows the progress, and prints a file of the tag.
--
--   love LOVE HEADER LIBRARY STORE URL "Level 1" Levels/1/map.json
--
-- HEADER is OnDemandC.h, and LIBRARY is libOnDemandC.so, as `swift build --product OnDemandC` makes it.
local ffi = require("ffi")

local od, store, request, path
local bytes, total, shown = ffi.new("int64_t[1]"), ffi.new("int64_t[1]"), nil

local function need(value, what)
  -- A NULL pointer of the FFI is not nil, but equals it.
  if value == nil then error(what .. ": " .. ffi.string(od.od_error()), 0) end
  return value
end

local function report(more)
  io.stderr:write(("%d of %d bytes%s\n"):format(tonumber(bytes[0]), tonumber(total[0]), more or ""))
end

function love.load(arguments)
  local header, library, folder, url, tag, file = unpack(arguments)
  local declarations = assert(io.open(header)):read("*a")
  -- The FFI reads C, but has no preprocessor.
  ffi.cdef((declarations:gsub("#ifdef.-#endif", ""):gsub("#[^\n]*", "")))
  od, path = ffi.load(library), file
  -- The packs stay zip files, which LÖVE mounts.
  store = need(od.od_open(folder, url, '{"keepsArchives": true}'), "open")
  request = need(od.od_request(store, ffi.new("const char *[1]", { tag }), 1), "request")
end

-- LÖVE calls this once a frame.
function love.update()
  local status = od.od_poll(request, bytes, total)
  if status == 0 then
    if shown ~= bytes[0] then report() end
    shown = bytes[0]
    return
  end
  if status < 0 then error(ffi.string(od.od_error()), 0) end
  report(", done")
  local place, archive = 0, od.od_archive(request, 0)
  while archive ~= nil do
    -- LÖVE's own files end at the game and its save folder, so the bytes of the zip are mounted.
    local zip = assert(io.open(ffi.string(archive), "rb"))
    local data = love.filesystem.newFileData(zip:read("*a"), place .. ".zip")
    zip:close()
    assert(love.filesystem.mount(data, place .. ".zip", "packs"), "cannot mount a pack")
    place = place + 1
    archive = od.od_archive(request, place)
  end
  io.write((assert(love.filesystem.read("packs/" .. path))))
  od.od_end(request)
  od.od_close(store)
  love.event.quit()
end

-- Without this an error waits for a key.
function love.errorhandler(message)
  io.stderr:write(tostring(message), "\n")
  return function() return 1 end
end
