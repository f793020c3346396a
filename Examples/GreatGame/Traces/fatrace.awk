$2 ~ /^greatgame/ {
  time = $1
  if (sub(/^.*\/Assets\//, "")) print time, scene(time), $0
}
