/** Tests that each worker's content for Git LFS is its own, as git-lfs itself sees it. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathOfContent, storeIn } from '../../src/content/store.ts';
import { removeWorktree } from '../../src/index.ts';
import { addWorker, makeYard, NOW, WORKER } from '../support.ts';

const HAS_LFS = spawnSync('git', ['lfs', 'version']).status === 0;
const TEXT = 'the content of a large file\n';
const CONTENT = { sha256: createHash('sha256').update(TEXT).digest('hex') };

test.skipIf(!HAS_LFS)(
  "given content that one worker committed, when another prunes its own, then both have what they had, and each sees the other's",
  async () => {
    await using yard = await makeYard();
    await yard.sh(yard.dir, 'lfs', 'install', '--skip-repo');
    await yard.write(yard.source, { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' });
    await yard.commit(yard.source, {}, 'large files');
    await yard.sh(yard.worktree, 'pull', '-q', '--ff-only', 'origin', 'main');
    const other = await addWorker(yard, 'bora');
    for (const text of ['former\n', TEXT]) await yard.commit(yard.worktree, { 'a.bin': text });
    await addWorker(yard, 'bora');
    await yard.sh(other, 'fetch', '-q', yard.worktree, 'HEAD');
    await yard.sh(other, 'reset', '-q', '--hard', 'FETCH_HEAD');

    await yard.sh(other, 'lfs', 'prune');
    await yard.sh(yard.worktree, 'checkout', '-q', 'HEAD~1');

    expect(await yard.read(other, 'a.bin')).toBe(TEXT);
    expect(await yard.read(yard.worktree, 'a.bin')).toBe('former\n');
    // Expects one file of the disk, whoever has it.
    const [mine, theirs] = [WORKER, 'bora'].map((name) => pathOfContent(storeIn(yard.archive, name), CONTENT));
    expect((await stat(mine ?? '')).ino).toBe((await stat(theirs ?? '')).ino);
  },
);

test.skipIf(!HAS_LFS)(
  'given a repository inside with large files, committed and not, when the place is removed by force, then their content is beside it',
  async () => {
    await using yard = await makeYard();
    await yard.sh(yard.dir, 'lfs', 'install', '--skip-repo');
    const inside = join(yard.worktree, 'fe');
    await mkdir(inside);
    await yard.sh(inside, 'init', '-q');
    await yard.commit(inside, { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n', 'a.bin': TEXT });
    await yard.write(inside, { 'b.bin': 'new\n' });
    const request = { archive: yard.archive, path: yard.worktree, worker: WORKER, base: 'origin/main', now: NOW };

    const outcome = await removeWorktree(yard.git, { ...request, id: 'one', force: true });

    const [aside] = outcome.kind === 'removed' ? outcome.trash.filter((one) => one.startsWith('/')) : [];
    for (const text of [TEXT, 'new\n']) {
      const sha256 = createHash('sha256').update(text).digest('hex');
      expect(await readFile(pathOfContent(`${aside}/fe/lfs`, { sha256 }), 'utf8')).toBe(text);
    }
  },
);
