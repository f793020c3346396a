#!/usr/bin/env bash
# Says in the pull request what the update costs: in one comment, which later runs rewrite, and in the run's summary.
# NAME: the baseline's, since a workflow may build several manifests. NUMBER: that of the pull request.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=api.sh
source "$(dirname "$0")/api.sh"

if [ ! -e "$BASELINE" ]; then exit; fi
{ echo "<!-- $NAME -->"; packtool diff --format markdown -- "$BASELINE" "$OUTPUT"; } > "$OUTPUT.md"
cat -- "$OUTPUT.md" >> "$GITHUB_STEP_SUMMARY"

# Prints the number of the comment that an earlier run wrote: it has the marker that packtool ends with. Other
# comments of the same bot, or a person's who quotes it, stay as they are.
earlier() {
  local page comments
  for page in 1 2 3 4 5 6 7 8 9; do
    # shellcheck disable=SC2153
    comments=$(api "issues/$NUMBER/comments?per_page=100&page=$page") || return
    jq --arg name "<!-- $NAME -->" '.[] | select(.user.login == "github-actions[bot]")
      | select((.body | startswith($name)) and (.body | test("<!-- packtool diff -->\\s*$"))) | .id' <<< "$comments"
    if [ "$(jq length <<< "$comments")" -lt 100 ]; then return; fi
  done
}

comment() {
  local number
  number=$(earlier) || return
  number=${number%%$'\n'*}
  jq --raw-input --slurp '{body: .}' < "$OUTPUT.md" > "$OUTPUT.md.json"
  if [ -n "$number" ]; then
    api "issues/comments/$number" --output /dev/null --request PATCH --data @"$OUTPUT.md.json"
  else
    api "issues/$NUMBER/comments" --output /dev/null --data @"$OUTPUT.md.json"
  fi
}

# A pull request from a fork has a token that cannot write; that is no fault of the packs.
comment || notice "no comment: the job cannot write one, for lack of \"pull-requests: write\" or since it is a fork's"
