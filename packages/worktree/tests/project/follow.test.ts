/** Tests that the default branch follows its upstream, and never over somebody's work. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { followUpstream, readUpstream } from '../../src/index.ts';
import { makeSource, type Yard } from '../support.ts';

interface Behind extends Yard {
  readonly remote: string;
  /** The newest commit of the remote, of which the source knows nothing. */
  readonly newest: string;
}

/** A source whose `main` follows `origin/main`, to which somebody else has pushed. */
async function makeBehind(): Promise<Behind> {
  const yard = await makeSource();
  const { sh, source, dir } = yard;
  const remote = join(dir, 'app.git');
  const other = join(dir, 'other');
  await sh(dir, 'clone', '-q', '--bare', source, remote);
  await sh(source, 'remote', 'add', 'origin', remote);
  await sh(source, 'fetch', '-q');
  await sh(source, 'branch', '-q', '--set-upstream-to=origin/main', 'main');
  await sh(dir, 'clone', '-q', remote, other);
  const newest = await yard.commit(other, { 'b.txt': 'theirs\n', 'new.txt': 'n' }, 'theirs');
  await sh(other, 'push', '-q', 'origin', 'main');
  return { ...yard, remote, newest };
}

test('given an upstream with a newer commit, when main follows, then it is there with its files, and a change elsewhere stays', async () => {
  await using yard = await makeBehind();
  const { git, depot, source, newest } = yard;
  await yard.write(source, { 'a.txt': 'mine\n' });

  const when = await followUpstream(git, depot);

  expect(when).toEqual({ kind: 'forwarded', name: 'origin/main', commits: 1 });
  expect(await yard.sh(source, 'rev-parse', 'main')).toBe(newest);
  expect(await yard.sh(source, 'status', '--porcelain')).toBe(' M a.txt');
  expect(await yard.sh(source, 'for-each-ref', 'refs/drover')).toBe('');
  expect(await yard.sh(source, 'reflog', '-1', '--format=%gs', 'main')).toBe('drover: follow origin/main');
  expect(await readUpstream(git, { source, branch: 'main' })).toEqual({ name: 'origin/main', behind: 0, ahead: 0 });
  expect(await followUpstream(git, depot)).toEqual({ kind: 'newest' });
});

test('given a file that a person changed and the upstream changes, when main follows, then nothing is moved, and the file is named', async () => {
  await using yard = await makeBehind();
  const before = await yard.sh(yard.source, 'rev-parse', 'main');
  await yard.write(yard.source, { 'b.txt': 'mine\n' });

  const when = await followUpstream(yard.git, yard.depot);

  const says = `"main" is 1 commit behind "origin/main", and your changes in "${yard.source}" block the update ("b.txt"): commit or stash them`;
  expect(when).toEqual({ kind: 'not-followed', says });
  expect(await yard.sh(yard.source, 'rev-parse', 'main')).toBe(before);
  expect(await yard.read(yard.source, 'b.txt')).toBe('mine\n');
});

test('given a main with a commit of its own, when it is to follow, then it stays, and what to do is said', async () => {
  await using yard = await makeBehind();
  const own = await yard.commit(yard.source, { 'own.txt': 'o' });

  const when = await followUpstream(yard.git, yard.depot);

  expect(when).toMatchObject({
    kind: 'not-followed',
    says: expect.stringContaining('and has 1 that "origin/main" lacks'),
  });
  expect(await yard.sh(yard.source, 'rev-parse', 'main')).toBe(own);
});

test('given a remote that does not answer, or a branch that follows none, when main is to follow, then it stays, and that is said', async () => {
  await using yard = await makeBehind();
  await yard.sh(yard.source, 'remote', 'set-url', 'origin', join(yard.dir, 'nowhere.git'));
  expect(await followUpstream(yard.git, yard.depot)).toMatchObject({
    says: expect.stringMatching(/^"main" is at "origin\/main" as it was fetched last: "origin" could not be asked/u),
  });

  await yard.sh(yard.source, 'branch', '-q', '--unset-upstream');
  expect(await followUpstream(yard.git, yard.depot)).toMatchObject({
    says: expect.stringContaining('"main" follows no branch that is there'),
  });
});

test('given following that was cut off before the files came, when it is asked again, then they follow', async () => {
  await using yard = await makeBehind();
  const { git, depot, source, newest } = yard;
  const cut: typeof git.run = (program, args, options) => {
    if (args.includes('read-tree')) throw new Error('killed');
    return git.run(program, args, options);
  };
  await expect(followUpstream({ ...git, run: cut }, depot)).rejects.toThrow('killed');
  expect(await yard.sh(source, 'rev-parse', 'main')).toBe(newest);

  expect(await followUpstream(git, depot)).toEqual({ kind: 'newest' });

  expect(await yard.sh(source, 'status', '--porcelain')).toBe('');
  expect(await yard.read(source, 'new.txt')).toBe('n');
});
