-- This example draws nothing, so that it runs without a display.
function love.conf(t)
  t.identity = "packtool-example"
  t.modules.window, t.modules.graphics, t.modules.audio, t.modules.sound = false, false, false, false
  t.modules.joystick, t.modules.physics, t.modules.video, t.modules.touch = false, false, false, false
end
