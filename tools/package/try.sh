#!/bin/sh
# Does the package do a first task where nothing else of Drover is? `npm run try:package` installs it into an empty prefix, with an empty cache and
# without a registry, starts "drover up" there, lets a second machine with a home of its own join, and merges what a worker on it did.
set -eu
cd "$(dirname "$0")/../.."
place=$(mktemp -d "${TMPDIR:-/tmp}/dp.XXXXXX")
up='' agent='' root='' ended=''
finish() {
  status=$?
  set +e
  for pid in $agent $up; do kill -TERM "$pid" 2>/dev/null && wait "$pid"; done
  # Workers' sessions outlive their machine agent. The worker of the second machine has one: none found means that the pattern is out of date.
  for socket in "$place"/*/run/fleets/*/tmux*.sock; do [ -S "$socket" ] && tmux -S "$socket" kill-server && ended=yes; done
  [ "$status" != 0 ] || [ "$ended" ] || { say "no tmux server of the second machine's worker was found to end"; status=1; }
  [ "$status" = 0 ] || tail -n 30 "$place"/*.log
  # As root the database lies elsewhere: it goes with its root.
  if [ -d "$root" ]; then (cd "$root" && on one drover remove-root --yes >/dev/null) || status=1; fi
  rm -rf "$place"
  exit "$status"
}
trap finish EXIT
chmod 711 "$place" # as root the database runs as another user, who must pass

say() { printf 'try: %s\n' "$*"; }

node tools/package/main.ts "$place"
mkdir "$place/prefix" "$place/cache" "$place/one" "$place/two" "$place/one/run" "$place/two/run"
npm install --global "$place"/drover-*.tgz --prefix "$place/prefix" --cache "$place/cache" --registry http://127.0.0.1:9 --loglevel=error
say "installed $(du -sm "$place/prefix" | cut -f1) MiB without a registry"

# on HOME COMMAND... runs drover as a person with this home has it, and with nothing of this shell.
on() {
  home=$place/$1
  shift
  env -i HOME="$home" XDG_RUNTIME_DIR="$home/run" TMPDIR="$place" LANG=C.UTF-8 PATH="$place/prefix/bin:/usr/local/bin:/usr/bin:/bin" "$@"
}

# until COMMAND...: waits, at most two minutes, until it succeeds.
until_true() {
  tries=0
  until "$@" >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 240 ] || { say "waited two minutes for: $*"; return 1; }
    sleep 0.5
  done
}

for home in one two; do printf '[user]\nname = Ada\nemail = ada@example.com\n' >"$place/$home/.gitconfig"; done
git init --quiet --initial-branch main "$place/one/shop"
(cd "$place/one/shop" && echo one >a.txt && on one git -C "$PWD" add . && on one git -C "$PWD" commit --quiet --message first)
(cd "$place/one/shop" && on one drover init)
root=$place/one/shop-drover
(cd "$root" && exec env -i HOME="$place/one" XDG_RUNTIME_DIR="$place/one/run" TMPDIR="$place" LANG=C.UTF-8 PATH="$place/prefix/bin:/usr/local/bin:/usr/bin:/bin" \
  drover up --port 0 --json >"$place/up.log" 2>&1) &
up=$!
until_true grep -q '"url"' "$place/up.log"
url=$(sed -n 's/.*"url":"\([^"]*\)".*/\1/p' "$place/up.log" | head -n 1)
say "\"drover up\" serves at $url"

in_root() { (cd "$root" && on one drover "$@"); }
in_root machine invite 2>/dev/null | sed -n 's/^printf %s \([^ ]*\) .*/\1/p' >"$place/two/join-token"
(cd "$place/two" && on two drover machine join "$url" --token-file join-token --name second)
(cd "$place/two" && exec env -i HOME="$place/two" XDG_RUNTIME_DIR="$place/two/run" TMPDIR="$place" LANG=C.UTF-8 PATH="$place/prefix/bin:/usr/local/bin:/usr/bin:/bin" \
  drover server agent >"$place/agent.log" 2>&1) &
agent=$!
is() { in_root status --json | grep -q "\"status\":\"$1\""; }
connected() { in_root machine --json | grep -q '"name":"second".*"state":"connected"'; }
until_true connected
in_root add eva --machine second --profile sim
until_true is idle
in_root start --prompt 'Note it.' >/dev/null
until_true is needs_review
in_root review >/dev/null
in_root accept
until_true is idle
[ "$(git -C "$place/one/shop" rev-list --count main)" = 2 ]
say 'a task of a worker on the second machine is one commit on main of the first'
in_root down >/dev/null
