import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkSource, gitVersion, readWorktree, upstreamWarning } from '../src/index.ts';
import { BRANCH, makeSource, makeYard, nodeFiles, nodeRunner, WORKER } from './support.ts';

describe('checking a source', () => {
  test('given a repository with commits, when it is checked from a subdirectory, then root, branch and head are told', async () => {
    await using yard = await makeSource();
    await mkdir(join(yard.source, 'sub'));

    const when = await checkSource(yard.git, join(yard.source, 'sub'));

    const head = await yard.sh(yard.source, 'rev-parse', 'main');
    expect(when).toEqual({ kind: 'ok', root: yard.source, defaultBranch: 'main', head, upstream: undefined });
  });

  test('given places that are no usable source, when each is checked, then each is named', async () => {
    await using yard = await makeSource();
    const plain = join(yard.dir, 'plain');
    const empty = join(yard.dir, 'empty');
    const bare = join(yard.dir, 'bare');
    await mkdir(plain);
    await yard.sh(yard.dir, 'init', '-q', '-b', 'main', empty);
    await yard.sh(yard.dir, 'clone', '-q', '--bare', yard.source, bare);

    const kinds = async (path: string): Promise<string> => (await checkSource(yard.git, path)).kind;

    expect(await kinds(join(yard.dir, 'nothing'))).toBe('missing');
    expect(await kinds(plain)).toBe('not-a-repository');
    expect(await kinds(join(yard.source, '.git'))).toBe('not-a-repository');
    expect(await kinds(bare)).toBe('bare');
    expect(await kinds(empty)).toBe('no-commits');
    await yard.sh(yard.source, 'checkout', '-q', '--detach');
    expect(await kinds(yard.source)).toBe('detached');
    expect((await checkSource(yard.git, yard.source, { defaultBranch: 'main' })).kind).toBe('ok');
    expect((await checkSource(yard.git, yard.source, { defaultBranch: 'trunk' })).kind).toBe('no-such-branch');
  });

  test('given a branch that is three commits behind the one it follows, when the source is checked, then that is told in words', async () => {
    await using yard = await makeSource();
    await yard.sh(yard.source, 'checkout', '-q', '-b', 'theirs');
    for (const name of ['1', '2', '3']) await yard.sh(yard.source, 'commit', '-q', '--allow-empty', '-m', name);
    await yard.sh(yard.source, 'checkout', '-q', 'main');
    await yard.sh(yard.source, 'branch', '-q', '--set-upstream-to', 'theirs');
    await yard.sh(yard.source, 'commit', '-q', '--allow-empty', '-m', 'mine');

    const when = await checkSource(yard.git, yard.source);

    expect(when).toMatchObject({ upstream: { name: 'theirs', behind: 3, ahead: 1 } });
    expect(when.kind === 'ok' && upstreamWarning(when.defaultBranch, when.upstream)).toBe(
      '"main" is 3 commits behind "theirs", and has 1 that "theirs" lacks: workers start from "main"',
    );
    await yard.sh(yard.source, 'branch', '-q', '-D', 'theirs');
    expect(await checkSource(yard.git, yard.source)).toMatchObject({ kind: 'ok', upstream: undefined });
  });

  test('given a changed tracked file, when the source is checked, then it is dirty and the file is listed', async () => {
    await using yard = await makeSource();
    await yard.write(yard.source, { 'a.txt': 'changed\n', 'untracked.txt': 'mine\n' });

    const when = await checkSource(yard.git, yard.source);

    expect(when).toMatchObject({ kind: 'dirty', files: [{ path: 'a.txt', kind: 'tracked' }] });
  });

  test('given relative or broken paths, when they are checked, then they are refused by name', async () => {
    await using yard = await makeSource();

    for (const path of ['relative', '--upload-pack=x', '/a\nb', '']) {
      await expect(checkSource(yard.git, path)).rejects.toMatchObject({ code: 'bad-name' });
    }
  });
});

describe('git itself', () => {
  test('given this machine, when the version is read, then it is a version', async () => {
    await using yard = await makeSource();

    expect(await gitVersion(yard.git)).toMatch(/^2\.\d+/);
  });

  test('given no git or an old one on the PATH, when the version is read, then that is said', async () => {
    await using yard = await makeSource();
    const bin = join(yard.dir, 'bin');
    await mkdir(bin);
    const context = { files: nodeFiles, run: nodeRunner({ PATH: bin }) };

    await expect(gitVersion(context)).rejects.toMatchObject({ code: 'git-missing' });
    await writeFile(join(bin, 'git'), '#!/bin/sh\necho git version 2.33.8\n');
    await chmod(join(bin, 'git'), 0o755);
    await expect(gitVersion(context)).rejects.toMatchObject({ code: 'git-too-old' });
  });

  test('given a git that hangs, when it is called, then the deadline ends it as timed-out', async () => {
    await using yard = await makeSource();
    const bin = join(yard.dir, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'git'), '#!/bin/sh\nexec sleep 600\n');
    await chmod(join(bin, 'git'), 0o755);
    const run = nodeRunner({ PATH: `${bin}:${process.env['PATH'] ?? ''}` });
    const context = {
      files: nodeFiles,
      run: (...[program, args, options]: Parameters<typeof run>) => run(program, args, { ...options, timeoutMs: 50 }),
    };

    await expect(gitVersion(context)).rejects.toMatchObject({ code: 'timed-out' });
  });

  test('given GIT_DIR and settings of the user that would mislead, when a worktree is looked at, then the facts are right', async () => {
    await using yard = await makeYard();
    await yard.write(yard.worktree, { 'späte änderung.txt': 'x' });
    const hostile = {
      PATH: process.env['PATH'],
      HOME: join(yard.dir, 'hostile'),
      GIT_DIR: '/nowhere',
      GIT_WORK_TREE: '/nowhere',
      GIT_INDEX_FILE: '/nowhere/index',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.bare',
      GIT_CONFIG_VALUE_0: 'true',
    };
    await yard.write(hostile.HOME, {
      '.gitconfig': '[status]\n\tshowUntrackedFiles = no\n\tshort = true\n[color]\n\tui = always\n',
    });

    const when = await readWorktree(
      { files: nodeFiles, run: nodeRunner(hostile) },
      { path: yard.worktree, base: 'origin/main' },
    );

    expect(when).toMatchObject({ branch: BRANCH, changes: [{ path: 'späte änderung.txt' }], subject: 'first' });
  });
});

describe('places in odd directories', () => {
  test.each(['with space', 'naïve-日本', 'quote\'"$(touch pwned)', '-dash', '#and;\\'])(
    'given a directory called %j, when a worker gets a place in it, then all works',
    async (name) => {
      await using yard = await makeYard(name);

      const facts = await readWorktree(yard.git, { path: yard.worktree, base: 'origin/main' });

      expect(facts).toMatchObject({ branch: BRANCH, changeCount: 0 });
      expect(await yard.sh(yard.worktree, 'remote', 'get-url', 'origin')).toBe(yard.source);
      expect(await yard.sh(yard.worktree, 'config', '--get', 'lfs.storage')).toBe(
        `${yard.archive}/content/${WORKER}/lfs`,
      );
    },
  );
});
