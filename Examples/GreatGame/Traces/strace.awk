match($0, /= [0-9]+<.*>$/) {
  path = substr($0, RSTART, RLENGTH - 1)
  if (sub(/^.*\/Assets\//, "", path)) print $2, scene($2), path
}
