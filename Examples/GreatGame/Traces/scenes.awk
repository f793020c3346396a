# Of a first file, lines of seconds and scene: when each scene begins.
NR == FNR { start[++count] = $1; name[count] = $2; next }
function scene(time,  number) {
  for (number = count; number > 1 && time < start[number]; number--);
  return name[number]
}
