#!/usr/bin/env bash
# Installs a release's .deb for this machine, once its checksum is right.
# VERSION: such as 0.2.0, "latest", or "none" for what is on the PATH. REPOSITORY: whose release it is; empty within packtool's own repository.
set -euo pipefail

releases=$GITHUB_SERVER_URL/${REPOSITORY:-$GITHUB_REPOSITORY}/releases
case $VERSION in
  none) exec packtool --version ;;
  latest) url=$releases/latest/download ;;
  *) url=$releases/download/v${VERSION#v} ;;
esac
folder=$(mktemp -d)
cd "$folder"
get() { curl --silent --show-error --fail --location --retry 3 --output "$1" "$url/$1"; }
if ! get SHA256SUMS; then
  echo "::error title=packtool::no release at $url; \"version: none\" takes the packtool that is on the PATH"
  exit 1
fi
# The list has the version that "latest" is.
line=$(grep "  packtool_[^ ]*_$(dpkg --print-architecture)\.deb$" SHA256SUMS)
deb=${line##* }
get "$deb"
sha256sum --check --strict <<< "$line"
# The checksums come from the same place; the attestation of the release's build does not.
if [ -n "${GH_TOKEN:-}" ] && command -v gh > /dev/null; then
  gh attestation verify "$deb" --repo "${REPOSITORY:-$GITHUB_REPOSITORY}"
else
  echo "::notice title=packtool::where the release was built is not verified: that needs gh and a token"
fi
# A job in a container is root, often without sudo, and without the lists of what can be installed.
as_root=(sudo)
if [ "$(id -u)" = 0 ]; then as_root=(); fi
install() { "${as_root[@]}" apt-get install --yes --quiet --no-install-recommends "./$deb"; }
install || { "${as_root[@]}" apt-get update --quiet && install; }
cd /
rm -r "$folder"
packtool --version
