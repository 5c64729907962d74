/** Lists everything that a repository can say about programs and rules, all of it at once. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Yard } from '../support.ts';

/** Attributes that name a program, and a rule, for every file. */
export const ATTRIBUTES =
  '* merge=evil filter=evil diff=evil text eol=crlf working-tree-encoding=UTF-16 ident export-subst\n';
/** Attributes that a commit can carry without git refusing it while there are no such programs. */
export const COMMITTED = '* merge=evil filter=evil diff=evil ident export-subst\n';
const HOOKS = [
  'post-checkout',
  'post-merge',
  'post-index-change',
  'pre-auto-gc',
  'pre-merge-commit',
  'prepare-commit-msg',
  'commit-msg',
  'update',
  'post-update',
  'reference-transaction',
];

/** Settings that say everything about programs and rules. Each program that runs leaves a file. */
export function settingsOf({ dir }: Yard): readonly (readonly [string, string])[] {
  const runs = `touch ${dir}/ran`;
  return [
    ['remote.origin.uploadpack', `${runs}; git-upload-pack`],
    ['remote.origin.receivepack', `${runs}; git-receive-pack`],
    ['protocol.allow', 'always'],
    ['protocol.ext.allow', 'always'],
    ['core.alternateRefsCommand', `${runs}; true`],
    ['core.gitProxy', runs],
    ['core.askPass', runs],
    ['core.pager', runs],
    ['pager.log', runs],
    ['credential.helper', `!${runs}`],
    ['diff.external', runs],
    ['interactive.diffFilter', runs],
    ['sequence.editor', runs],
    ['gc.recentObjectsHook', `${runs}; true`],
    ['trailer.evil.command', runs],
    ['include.path', `${dir}/included`],
    ['core.logAllRefUpdates', 'always'],
    ['log.mailmap', 'true'],
    ['mailmap.file', `${dir}/attributes`],
    ['uploadpack.allowFilter', 'false'],
    ['push.recurseSubmodules', 'on-demand'],
    ['merge.evil.driver', `${runs}; cp %B %A`],
    ['merge.default', 'evil'],
    ['merge.renames', 'false'],
    ['merge.conflictStyle', 'diff3'],
    ['merge.ff', 'only'],
    ['filter.evil.clean', `${runs}; tr a-z A-Z`],
    ['filter.evil.smudge', `${runs}; tr a-z A-Z`],
    ['filter.evil.process', runs],
    ['filter.evil.required', 'true'],
    ['diff.evil.command', runs],
    ['diff.evil.textconv', runs],
    ['core.fsmonitor', `${runs}; true`],
    ['core.sshCommand', runs],
    ['core.autocrlf', 'true'],
    ['core.attributesFile', `${dir}/attributes`],
    ['uploadpack.packObjectsHook', runs],
    ['i18n.commitEncoding', 'ISO-8859-1'],
    ['commit.gpgSign', 'true'],
    ['gpg.program', runs],
    ['user.name', 'Mallory'],
    ['user.useConfigOnly', 'true'],
    ['core.useReplaceRefs', 'true'],
    ['fetch.fsckObjects', 'false'],
    ['fetch.writeCommitGraph', 'true'],
    ['submodule.recurse', 'true'],
    ['fetch.recurseSubmodules', 'true'],
  ];
}

/** Writes all settings to a repository, or only the named ones. */
export async function poison(
  yard: Yard,
  at: string,
  { settings = settingsOf(yard), attributes = ATTRIBUTES } = {},
): Promise<void> {
  await writeFile(join(yard.dir, 'attributes'), attributes);
  await writeFile(
    join(yard.dir, 'included'),
    `[core]\n\tfsmonitor = touch ${yard.dir}/ran\n\thooksPath = ${at}/.git/hooks\n`,
  );
  for (const [name, value] of settings) await yard.sh(at, 'config', name, value);
  await mkdir(join(at, '.git/info'), { recursive: true });
  await writeFile(join(at, '.git/info/attributes'), attributes);
  await mkdir(join(at, '.git/hooks'), { recursive: true });
  for (const hook of HOOKS) {
    await writeFile(join(at, '.git/hooks', hook), `#!/bin/sh\ntouch ${yard.dir}/ran\nexit 1\n`);
    await chmod(join(at, '.git/hooks', hook), 0o755);
  }
}
