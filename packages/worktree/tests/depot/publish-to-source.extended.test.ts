import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Git, makeCandidate, prove, publish } from '../../src/index.ts';
import { WORKER, type Yard, makeYard } from '../support.ts';
import { placeIn, workAt } from './support.ts';

const CHANGES = { 'a.txt': 'accepted\n', 'b.txt': undefined, 'new/n.txt': 'n\n' };

/** A yard with one commit to publish, and the request for it. */
async function ready(yard: Yard, files: Record<string, string | undefined> = CHANGES) {
  const head = await yard.commit(yard.worktree, files, 'the work');
  const made = await makeCandidate(yard.git, placeIn(yard), workAt(yard, head));
  if (made.kind !== 'candidate') throw new Error(made.kind);
  return { worker: WORKER, base: made.base, commit: made.commit } as const;
}

/** A context that dies just before its first program whose words include all of `words`. */
function dyingBefore(yard: Yard, ...words: string[]): Git {
  return {
    ...yard.git,
    run: async (program, args, options) => {
      if (words.every((word) => args.includes(word))) throw new Error('killed');
      return yard.git.run(program, args, options);
    },
  };
}

async function expectAccepted(yard: Yard, commit: string): Promise<void> {
  expect(await yard.sh(yard.source, 'rev-parse', 'main')).toBe(commit);
  expect(await yard.sh(yard.source, 'status', '--porcelain')).toBe('');
  expect(await yard.read(yard.source, 'a.txt')).toBe('accepted\n');
  expect(await yard.sh(yard.source, 'for-each-ref', 'refs/drover')).toBe('');
}

test.each([
  ['fetching', ['fetch']],
  ['the compare-and-swap', ['update-ref', 'refs/heads/main']],
  ['the files', ['read-tree', '-u']],
  ['dropping the helping ref', ['update-ref', '--stdin']],
])('given a crash before %s, when repeated, then the source ends advanced and clean', async (_name, words) => {
  await using yard = await makeYard();
  const request = await ready(yard);
  await expect(publish(dyingBefore(yard, ...words), placeIn(yard), request)).rejects.toThrow('killed');

  const when = await publish(yard.git, placeIn(yard), request);

  expect(when).toEqual({ kind: 'published', checkout: { kind: 'updated' } });
  await expectAccepted(yard, request.commit);
});

test('given a kill while half of the files were written, when repeated, then the rest follows', async () => {
  await using yard = await makeYard();
  const request = await ready(yard);
  await expect(publish(dyingBefore(yard, 'read-tree', '-u'), placeIn(yard), request)).rejects.toThrow('killed');
  await yard.write(yard.source, { 'a.txt': 'accepted\n', 'new/n.txt': 'n\n' });

  const when = await publish(yard.git, placeIn(yard), request);

  expect(when).toEqual({ kind: 'published', checkout: { kind: 'updated' } });
  await expectAccepted(yard, request.commit);
});

test('given an acceptance that was given up before the files followed, when the next work is accepted, then those of both follow', async () => {
  await using yard = await makeYard();
  const earlier = await ready(yard);
  await expect(publish(dyingBefore(yard, 'read-tree', '-u'), placeIn(yard), earlier)).rejects.toThrow('killed');
  const next = await ready(yard, { 'next.txt': 'next\n' });

  const when = await publish(yard.git, placeIn(yard), next);

  expect(when).toEqual({ kind: 'published', checkout: { kind: 'updated' } });
  await expectAccepted(yard, next.commit);
});

test('given an acceptance that was given up, when its candidate is made again, then all files follow but one that a person changed', async () => {
  await using yard = await makeYard();
  const earlier = await ready(yard);
  await expect(publish(dyingBefore(yard, 'read-tree', '-u'), placeIn(yard), earlier)).rejects.toThrow('killed');
  await yard.write(yard.source, { 'a.txt': 'person\n' });

  const head = await yard.sh(yard.worktree, 'rev-parse', 'HEAD');
  expect((await makeCandidate(yard.git, placeIn(yard), workAt(yard, head))).kind).toBe('contained');

  expect(await yard.read(yard.source, 'a.txt')).toBe('person\n');
});

test.each([
  ['an empty file', '', 'updated'],
  ['the beginning of a file', 'acce', 'updated'],
  ['the words of a person', 'acce!', 'left'],
])(
  'given a full disk that left %s in the source, when the acceptance is repeated, then the file (%j) is %s',
  async (_, words, kind) => {
    await using yard = await makeYard();
    const request = await ready(yard);
    await expect(publish(dyingBefore(yard, 'read-tree', '-u'), placeIn(yard), request)).rejects.toThrow('killed');
    await yard.write(yard.source, { 'a.txt': words });

    const when = await publish(yard.git, placeIn(yard), request);

    expect(when).toMatchObject({ kind: 'published', checkout: { kind } });
    expect(await yard.read(yard.source, 'a.txt')).toBe(kind === 'left' ? words : 'accepted\n');
  },
);

test('given a person edits between a crash and the repetition, when repeated, then the edit is left and told', async () => {
  await using yard = await makeYard();
  const request = await ready(yard);
  await expect(publish(dyingBefore(yard, 'read-tree', '-u'), placeIn(yard), request)).rejects.toThrow('killed');
  await yard.write(yard.source, { 'a.txt': 'person\n' });

  const when = await publish(yard.git, placeIn(yard), request);

  expect(when).toEqual({ kind: 'published', checkout: { kind: 'left', path: yard.source, files: ['a.txt'] } });
  expect(await yard.read(yard.source, 'a.txt')).toBe('person\n');
});

test('given two acceptances of one base at once, when both advance, then one wins and the other is told', async () => {
  await using yard = await makeYard();
  const request = await ready(yard);
  const rival = await yard.sh(yard.worktree, 'commit-tree', 'HEAD^{tree}', '-p', request.base, '-m', 'rival');
  const winners: string[] = [];
  const run: Git['run'] = async (program, args, options) => {
    // Lets another acceptance get in after every check, just before the swap.
    if (args.includes('refs/heads/main') && args.includes('update-ref') && winners.length === 0) {
      winners.push(rival);
      await yard.sh(yard.source, 'fetch', '-q', yard.worktree, rival);
      await yard.sh(yard.source, 'update-ref', 'refs/heads/main', rival, request.base);
    }
    return yard.git.run(program, args, options);
  };

  const when = await publish({ ...yard.git, run }, placeIn(yard), request);

  expect(when).toEqual({ kind: 'moved', now: rival });
  expect(await yard.read(yard.source, 'a.txt')).toBe('one\ntwo\nthree\n');
  expect(await publish(yard.git, placeIn(yard), request)).toEqual({ kind: 'moved', now: rival });
  expect(await prove(yard.git, placeIn(yard), request.commit)).toMatchObject({ kind: 'not-merged', tip: rival });
});

test('given files in the source that would be overwritten, when published, then nothing happens', async () => {
  await using yard = await makeYard();
  const request = await ready(yard);
  const refused = async (path: string): Promise<void> => {
    expect(await publish(yard.git, placeIn(yard), request)).toEqual({
      kind: 'blocked',
      path: yard.source,
      files: [path],
    });
    expect(await yard.sh(yard.source, 'rev-parse', 'main')).toBe(request.base);
  };

  await yard.write(yard.source, { 'new/n.txt': 'untracked of a person\n' });
  await refused('new/n.txt');
  await yard.write(yard.source, { 'new/n.txt': undefined, 'a.txt': 'staged\n' });
  await yard.sh(yard.source, 'add', 'a.txt');
  await yard.write(yard.source, { 'a.txt': 'one\ntwo\nthree\n' });
  await refused('a.txt');
  await yard.sh(yard.source, 'reset', '-q', '--hard');
  await yard.write(yard.source, { 'other-untracked.txt': 'harmless' });

  expect((await publish(yard.git, placeIn(yard), request)).kind).toBe('published');
  expect(await yard.sh(yard.source, 'status', '--porcelain')).toBe('?? other-untracked.txt');
});

test('given changed files of a person that the work does not change, when published, then they stay, staged or not', async () => {
  await using yard = await makeYard();
  await yard.commit(yard.source, { 'staged.txt': 's\n', 'changed.txt': 'c\n' }, 'more files');
  const request = await ready(yard);
  await yard.write(yard.source, { 'staged.txt': 'mine\n' });
  await yard.sh(yard.source, 'add', 'staged.txt');
  await yard.write(yard.source, { 'changed.txt': 'mine too\n' });

  const published = await publish(yard.git, placeIn(yard), request);

  expect(published).toEqual({ kind: 'published', checkout: { kind: 'updated' } });
  expect(await yard.sh(yard.source, 'status', '--porcelain')).toBe(' M changed.txt\nM  staged.txt');
});

test('given a file that only looks changed, when published, then it is no obstacle', async () => {
  await using yard = await makeYard();
  const request = await ready(yard);
  await utimes(join(yard.source, 'a.txt'), 1, 1);

  expect((await publish(yard.git, placeIn(yard), request)).kind).toBe('published');
  expect(await yard.sh(yard.source, 'status', '--porcelain')).toBe('');
});

test('given a person who commits between two looks at the source, when published, then the branch has moved and nobody is blamed', async () => {
  await using yard = await makeYard();
  const request = await ready(yard);
  const committing: Git = {
    ...yard.git,
    run: async (program, args, options) => {
      if (args.includes('fetch')) await yard.commit(yard.source, { 'a.txt': 'of a colleague\n' }, 'meanwhile');
      return yard.git.run(program, args, options);
    },
  };

  const when = await publish(committing, placeIn(yard), request);

  expect(when).toEqual({ kind: 'moved', now: await yard.sh(yard.source, 'rev-parse', 'main') });
  expect(await yard.read(yard.source, 'a.txt')).toBe('of a colleague\n');
});

test('given main is not checked out, or only in a second worktree, when published, then the right files follow', async () => {
  await using yard = await makeYard();
  const request = await ready(yard);
  await yard.sh(yard.source, 'checkout', '-q', '-b', 'feature');
  await yard.write(yard.source, { 'a.txt': 'dirty, but of another branch\n' });
  const second = join(yard.dir, 'second');
  await yard.sh(yard.source, 'worktree', 'add', '-q', second, 'main');

  const when = await publish(yard.git, placeIn(yard), request);

  expect(when).toEqual({ kind: 'published', checkout: { kind: 'updated' } });
  expect(await yard.read(second, 'a.txt')).toBe('accepted\n');
  expect(await yard.sh(second, 'status', '--porcelain')).toBe('');
  expect(await yard.read(yard.source, 'a.txt')).toBe('dirty, but of another branch\n');
});

test('given a source that advanced further afterwards, when repeated, then it is already in and nothing moves', async () => {
  await using yard = await makeYard();
  const request = await ready(yard);
  await publish(yard.git, placeIn(yard), request);
  const later = await yard.commit(yard.source, { 'later.txt': '' });

  expect(await publish(yard.git, placeIn(yard), request)).toEqual({ kind: 'published', checkout: { kind: 'none' } });
  expect(await yard.sh(yard.source, 'rev-parse', 'main')).toBe(later);
});

test('given a commit that is not on top of its base, when published, then it is refused', async () => {
  await using yard = await makeYard();
  const request = await ready(yard);
  const base = await yard.commit(yard.source, { 'later.txt': '' });

  const when = publish(yard.git, placeIn(yard), { ...request, base });

  await expect(when).rejects.toMatchObject({ code: 'not-a-descendant' });
});

test('given a git that holds the lock of the index, when published, then it is locked, and a repetition ends it', async () => {
  await using yard = await makeYard();
  const request = await ready(yard);
  const lock = join(yard.source, '.git/index.lock');
  await writeFile(lock, '');

  await expect(publish(yard.git, placeIn(yard), request)).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining('index.lock'),
  });
  await yard.git.files.rm(lock);

  expect((await publish(yard.git, placeIn(yard), request)).kind).toBe('published');
  await expectAccepted(yard, request.commit);
});

test('given hooks in source and clone that would refuse everything, when published, then they are not run', async () => {
  await using yard = await makeYard();
  const request = await ready(yard);
  for (const at of [yard.source, yard.worktree]) {
    await mkdir(join(at, '.git/hooks'), { recursive: true });
    for (const hook of ['reference-transaction', 'post-checkout', 'pre-rebase']) {
      await writeFile(join(at, '.git/hooks', hook), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    }
  }
  await symlink('a.txt', join(yard.source, 'untracked-link'));

  expect((await publish(yard.git, placeIn(yard), request)).kind).toBe('published');
});
