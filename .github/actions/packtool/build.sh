#!/usr/bin/env bash
# Builds and verifies the packs; on the default branch it also lays out what later runs compare with.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=api.sh
source "$(dirname "$0")/api.sh"

mkdir -p -- "$(dirname -- "$OUTPUT")"
echo "sarif=$OUTPUT.sarif" >> "$GITHUB_OUTPUT"
flags=(--diagnostics github --diagnostics "sarif=$OUTPUT.sarif" --baseline "$BASELINE" --severity missing-baseline=note)
if [ "$STRICT" = true ]; then flags+=(--strict); fi
if [ "$SUBMISSION" = true ]; then flags+=(--submission); fi
# xargs splits at blanks and takes quotes as a shell does, but expands nothing.
more=$(xargs -r -n 1 printf '%s\n' <<< "$ARGS")
if [ -n "$more" ]; then mapfile -t -O ${#flags[@]} flags <<< "$more"; fi
packtool build --output="$OUTPUT" "${flags[@]}" -- "$MANIFEST"
packtool verify -- "$OUTPUT"

# A pull request's build is not what users have, whatever branch it is of.
case " $PUBLISHING_EVENTS " in *" $GITHUB_EVENT_NAME "*) ;; *) exit ;; esac
if [ "$GITHUB_REF" = "refs/heads/$BRANCH" ] && [ -e "$OUTPUT/index.json" ]; then
  publish=$(mktemp -d -p "$RUNNER_TEMP")
  cp -- "$OUTPUT"/index.json "$OUTPUT"/contents.*.json "$publish"
  echo "publish=$publish" >> "$GITHUB_OUTPUT"
fi
