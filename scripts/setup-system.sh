#!/usr/bin/env bash
# Installs the programs from the system that some tests drive, on Debian and its kin.
# Everything else the tests need comes with `npm test`.
set -euo pipefail

packages=(
  bubblewrap fd-find fish git less openssh-client openssh-server openssl procps python3 strace tmux
  util-linux zsh
)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: all system packages are here"
  exit 0
fi
if ! command -v apt-get >/dev/null; then
  echo "setup: this system has no apt-get; install by its own means: ${missing[*]}" >&2
  exit 1
fi
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
echo "setup: installing ${missing[*]}"
"${as_root[@]}" apt-get update -q
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"
