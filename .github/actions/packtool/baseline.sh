#!/usr/bin/env bash
# Fetches what the default branch built last: an artifact of the newest of its successful runs of this workflow that
# has one. Says so where there is none, which is no error: a first run has none.
# MANIFEST: names the artifact, so that a workflow may build several. BASELINE: one that is here, in place of that.
# BRANCH: the default branch.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=api.sh
source "$(dirname "$0")/api.sh"

# One name for each manifest: "./x" and "x/" are "x". An artifact's name takes no slash, so "a/b" gets a digest that keeps
# it apart from "a-b".
# shellcheck disable=SC2153
manifest=$(realpath --canonicalize-missing --no-symlinks --relative-to=. -- "$MANIFEST")
name=packtool-baseline
if [ "$manifest" != . ]; then
  plain=${manifest//[^A-Za-z0-9._-]/-}
  name+=-${plain:0:100}
  if [ "$plain" != "$manifest" ] || [ ${#plain} -gt 100 ]; then
    name+=-$(printf %s "$manifest" | sha256sum | head -c 12)
  fi
fi
path=${BASELINE:-$RUNNER_TEMP/$name}
{ echo "name=$name"; echo "path=$path"; } >> "$GITHUB_OUTPUT"

fetch() {
  # The branch in it may hold "@", too.
  local workflow=${GITHUB_WORKFLOW_REF%%@refs/*} runs run artifact
  runs=$(api "actions/workflows/${workflow##*/}/runs" --get --data-urlencode "branch=$BRANCH" \
    --data 'status=success&per_page=20') || return
  # A fork may have a branch of the same name, and what its pull request built is not what users have.
  runs=$(jq --arg branch "$BRANCH" --arg events "$PUBLISHING_EVENTS" '.workflow_runs[]
    | select(.head_branch == $branch and .head_repository.id == .repository.id)
    | select(.event as $event | $events | split(" ") | index($event)) | .id' <<< "$runs")
  for run in $runs; do
    artifact=$(api "actions/runs/$run/artifacts?name=$name" |
      jq '[.artifacts[] | select(.expired | not) | .id][0] // empty') || return
    if [ -z "$artifact" ]; then continue; fi
    api "actions/artifacts/$artifact/zip" --output "$path.zip" && unzip -q -o "$path.zip" -d "$path" || return
    echo "baseline: $name of run $run"
    return
  done
}

if [ -n "${BASELINE:-}" ]; then
  [ -e "$path" ] || notice "no baseline: $path does not exist"
elif ! fetch; then
  notice 'no baseline: it cannot be read; does the job have the permission "actions: read"?'
elif [ ! -e "$path" ]; then
  notice "no baseline: no successful run on ${BRANCH:-the default branch} left one, so updates are not compared"
fi
