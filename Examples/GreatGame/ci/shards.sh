#!/bin/sh
# Builds the packs in parts on several machines by GNU parallel over ssh, and merges them:
#   ci/shards.sh OUTPUT HOST...
# Each host has packtool and this project at the same path, as after `git clone` or on a shared disk; ":" is this
# machine. A part stays where it was built, so the next run packs only what changed. SSH names another ssh command.
set -eu

output=$1
shift
project=$(cd "$(dirname "$0")/.." && pwd)
parts=$#
hosts=
for host in "$@"; do hosts="$hosts${hosts:+,}1/$host"; done

cd "$project"
# One part for each host; each comes back by rsync. Any failure ends all.
seq "$parts" | PARALLEL_SSH=${SSH:-ssh} parallel --will-cite --halt now,fail=1 --sshlogin "$hosts" \
  --workdir "$project" --return "build/parts/{}" \
  "${PACKTOOL:-packtool} build --quiet --shard {}/$parts -o build/parts/{}"
${PACKTOOL:-packtool} merge --output="$output" -- $(seq -f "build/parts/%g" "$parts")
