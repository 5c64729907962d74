# What a hostile program tries from within its cage. Each line of the output is a name and how it went.
# Arguments: the machine's directory, a process outside, a port with a model server.
dir=$1 pid=$2 port=$3
try() {
  name=$1
  shift
  if sh -c "$*" >/dev/null 2>&1; then echo "$name done"; else echo "$name failed"; fi
}
git=$dir/root/.worktrees/alba/.git depots=$dir/data/depots

try read-endpoint "cat $dir/data/endpoint.json"
try list-data "ls -A $dir/data | grep -v -x -e hooks -e depots | grep ."
try list-depots "ls -A $depots/* | grep -v -x -e depot.git -e archive.git | grep . || ls -A $depots/*/depot.git | grep -v -x objects | grep ."
try read-depot "cat $depots/*/depot.git/config || git -C $depots/*/depot.git rev-parse HEAD"
try read-archive "ls -A $depots/*/archive.git | grep -v -x content | grep . || git -C $depots/*/archive.git rev-parse HEAD"
try write-content-of-others "cd $depots/*/archive.git/content && { touch evil || mkdir bert; }"
try write-depot-objects "touch $depots/*/depot.git/objects/evil || chmod -R u+w $depots/*/depot.git/objects || rm -rf $depots/*/depot.git/objects/*"
try read-journal "cat $dir/data/agent.db"
try read-login "cat $dir/home/.config/drover/logins.json"
try read-ssh "cat $dir/home/.ssh/id"
try read-environ "grep -z CANARY /proc/$pid/environ"
try kill-outside "kill -9 $pid"
try tmux-socket "tmux -S $dir/run/tmux.sock list-sessions"
try other-worktree "ls $dir/root/.worktrees/bert"
try list-source "ls $dir/source | grep ."
try read-source-env "cat $dir/source/.env"
try read-source-config "cat $dir/source/.git/config"
try write-source "test -e $dir/source/a.txt && echo x > $dir/source/a.txt"
try write-source-git "echo x > $dir/source/.git/refs/heads/evil"
try push-source "git push origin HEAD:refs/heads/evil"
try source-objects "chmod -R u+w $dir/source/.git/objects && find $dir/source/.git/objects -type f -exec sh -c 'echo x > {}' \\;"
try write-config "git config core.fsmonitor /tmp/evil"
try write-config-file "echo x >> $git/config"
try replace-config "mv $git/config $git/c || ln -sf $dir/home/.bashrc $git/config"
try worktree-config "echo x > $git/config.worktree || mv $git/config.worktree $git/c"
try write-hook "echo x > $git/hooks/post-checkout"
try replace-hooks "mv $git/hooks $git/h"
try write-alternates "echo $dir/source/.git/objects >> $git/objects/info/alternates"
try replace-alternates "mv $git/objects/info $git/objects/i"
try replace-objects "mv $git/objects $git/o"
try move-git "mv .git elsewhere"
try ssh-agent 'test -n "$SSH_AUTH_SOCK"'
try dbus 'test -n "$DBUS_SESSION_BUS_ADDRESS" || ls /run/dbus'
try gain-rights "grep -E 'NoNewPrivs:.*0|CapEff:.*[1-9a-f]' /proc/self/status"
try unmount "umount $dir/data"
try see-processes "test \$(ls /proc | grep -c '^[0-9]') -gt 40"
# Later, when Drover's own git works here: these succeed, and must lead nowhere.
try write-own-home "echo x > $dir/home/.profile && cd $depots/*/archive.git/content/alba/lfs && mkdir objects"
try link-message "ln -sf $dir/home/.bashrc $git/COMMIT_EDITMSG && ln -sf $dir/home/.bashrc $git/ORIG_HEAD && rm -f $git/logs/HEAD && ln -s $dir/home/.bashrc $git/logs/HEAD"
try link-branch-log "ln -sf $dir/home/.bashrc $git/logs/refs/heads/drover/alba"
try write-main "git update-ref refs/heads/main HEAD && git update-ref refs/remotes/origin/main HEAD"
# A repository within the worktree, whose filter git runs when it looks whether there are changes.
try plant-filter "git init -q sub && cd sub && echo '* filter=evil' > .gitattributes && echo hi > f && git add . && git -c user.name=a -c user.email=b commit -qm sub && git config filter.evil.clean 'cat $dir/home/.ssh/id >> $dir/root/.worktrees/alba/stolen; cat' && cd .. && git add sub && git commit -qm sub && echo changed > sub/f"

try borrow "ls $depots/*/depot.git/objects | grep . && git cat-file -p HEAD:a.txt"
try commit "echo work > work.txt && git add work.txt && git commit -qm work"
try commit-again "echo more >> work.txt && git commit -qam more"
try push-own "git push . HEAD:refs/heads/drover/alba"
try amend "git commit -q --amend -m 'more work'"
try rebase "git rebase -q --onto HEAD~1 HEAD~1 && git rebase -q ORIG_HEAD || git reset -q --hard"
try test-run "node -e 'process.exit(0)'"
try own-repository "cd /tmp && git init -q r && cd r && git -c user.name=a -c user.email=b commit -q --allow-empty -m x"
try model "node -e \"fetch('http://127.0.0.1:$port').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))\""
