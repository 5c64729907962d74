#!/bin/sh
# Is everything here that Drover needs to run from this checkout? Installs the npm packages, names what else is missing.
# Quiet and done in a moment when there is nothing to do, so that every npm script can start with it.
set -eu
cd "$(dirname "$0")/.."

# The oldest versions that Drover is built for; tmux 3.2 lacks features that docs/mechanics.md lists.
TMUX_MIN=3.2
GIT_MIN=2.34

say() { printf 'setup: %s\n' "$*" >&2; }

# Prints the command that installs a package with this machine's package manager.
install_command() {
  if command -v brew >/dev/null 2>&1; then
    echo "brew install $1"
  elif command -v apt-get >/dev/null 2>&1; then
    echo "sudo apt-get update && sudo apt-get install -y $1"
  elif command -v dnf >/dev/null 2>&1; then
    echo "sudo dnf install -y $1"
  else
    echo "install $1 with your package manager (macOS: https://brew.sh, then brew install $1)"
  fi
}

# at_least HAVE WANT: compares major.minor as numbers; a letter behind (3.2a) does not count.
at_least() {
  have_major=${1%%.*} have_rest=${1#*.}
  have_minor=${have_rest%%[!0-9]*}
  want_major=${2%%.*} want_minor=${2#*.}
  [ "$have_major" -gt "$want_major" ] || { [ "$have_major" -eq "$want_major" ] && [ "${have_minor:-0}" -ge "$want_minor" ]; }
}

# need NAME MINIMUM FOUND: FOUND is the version that the program gave, empty when it could not be run.
need() {
  if [ -z "$3" ]; then
    say "$1 is missing (needed: $2 or newer). To install it: $(install_command "$1")"
    missing=yes
  elif ! at_least "$3" "$2"; then
    say "$1 $3 is too old (needed: $2 or newer). To get a newer one: $(install_command "$1")"
    missing=yes
  fi
}

# The first number such as 3.3 or 2.39 in what a program says about itself.
version_in() { sed -n 's/^[^0-9]*\([0-9][0-9]*\.[0-9][0-9a-z]*\).*/\1/p' | head -n 1; }

missing=no
need tmux "$TMUX_MIN" "$(tmux -V 2>/dev/null | version_in)"
need git "$GIT_MIN" "$(git --version 2>/dev/null | version_in)"
[ "$missing" = no ] || exit 1

# npm writes node_modules/.package-lock.json at the end of every installation. The stamp beside it is ours: it names the
# lock file's content, because a checkout gives files new times without changing them.
stamp=node_modules/.drover-setup
lock=$(cksum <package-lock.json)
if [ "$(cat "$stamp" 2>/dev/null || true)" != "$lock" ]; then
  if [ ! -f node_modules/.package-lock.json ] || [ -n "$(find package-lock.json -newer node_modules/.package-lock.json)" ]; then
    say 'installing npm packages (npm ci)'
    npm ci --no-audit --no-fund --loglevel=error >&2
  fi
  if ! node_modules/.bin/node --version >/dev/null 2>&1; then
    say "the Node that npm installed does not run on this platform ($(uname -sm)); remove node_modules and try again, or see docs/dependencies.md"
    exit 1
  fi
  echo "$lock" >"$stamp"
fi
