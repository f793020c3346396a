# shellcheck shell=bash
# What the scripts beside this file ask GitHub with. curl and jq are on each of its runners, as they are on most others.

# Asks for an address within the repository's; more arguments are curl's. curl does not send the token along where an
# artifact's address leads to another host.
api() {
  curl --silent --show-error --fail --location --retry 3 --header "Authorization: Bearer $GH_TOKEN" \
    --header 'Accept: application/vnd.github+json' "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/$1" "${@:2}"
}

# The events whose builds are what users have. A workflow may check out a pull request on others, such as issue_comment.
export PUBLISHING_EVENTS='push schedule workflow_dispatch'

notice() { echo "::notice title=packtool::$1"; }
