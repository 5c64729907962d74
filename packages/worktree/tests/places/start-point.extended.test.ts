/** Tests that a task can begin on existing work: a branch of the source or of its remote, or a pull request. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bringBase, type DepotPlace, findStart, prepareForTask } from '../../src/index.ts';
import { BRANCH, makeYard, NOW, WORKER, type Yard } from '../support.ts';

interface Existing extends Yard {
  readonly remote: string;
  /** Commits that the default branch lacks: of a branch of the source, of one of its remote, and of a request there. */
  readonly here: string;
  readonly there: string;
  readonly request: string;
}

/** A source with the branch `feat/here`, whose remote has `feat/there`, the request 12, and `strange` without a common commit. */
async function makeExisting(): Promise<Existing> {
  const yard = await makeYard();
  const { source, sh } = yard;
  const remote = join(yard.dir, 'team', 'app.git');
  await sh(yard.dir, 'clone', '-q', '--bare', source, remote);
  await sh(source, 'remote', 'add', 'origin', remote);
  const branch = async (name: string, from: string): Promise<string> => {
    await sh(source, 'checkout', '-q', '-b', name, from);
    return yard.commit(source, { [`${name.replaceAll('/', '-')}.txt`]: name }, name);
  };
  const there = await branch('feat/there', 'main');
  const request = await branch('request', 'main');
  await sh(source, 'checkout', '-q', '--orphan', 'strange');
  await yard.commit(source, { 's.txt': 's' }, 'strange');
  await sh(source, 'push', '-q', 'origin', 'feat/there', 'strange', `${request}:refs/pull/12/head`);
  const here = await branch('feat/here', 'main');
  await sh(source, 'checkout', '-q', 'main');
  await sh(source, 'branch', '-q', '-D', 'feat/there', 'request', 'strange');
  await yard.commit(source, { 'newer.txt': 'n' }, 'newer main');
  return { ...yard, remote, here, there, request };
}

test('given branches here and there and a request, when a task is to begin on one, then it is found, and the depot has it', async () => {
  await using yard = await makeExisting();
  const { git, depot, source, remote, here, there, request } = yard;
  const named: readonly (readonly [from: string, commit: string, name: string])[] = [
    ['feat/here', here, `branch "feat/here" of "${source}"`],
    ['feat/there', there, `branch "feat/there" of "${remote}"`],
    ['origin/feat/there', there, `branch "feat/there" of "${remote}"`],
    ['12', request, `request 12 of "${remote}"`],
    ['#12', request, `request 12 of "${remote}"`],
    ['https://host.example/team/app/pull/12/files', request, `request 12 of "${remote}"`],
  ];
  for (const [from, commit, name] of named)
    expect(await findStart(git, depot, from)).toEqual({ kind: 'found', commit, name, ahead: 1 });

  const target = { kind: 'remote', url: `file://${remote}`, defaultBranch: 'main' } as const;
  const elsewhere: DepotPlace = { directory: join(yard.dir, 'other-depot'), target };
  expect(await findStart(git, elsewhere, 'feat/there')).toMatchObject({ kind: 'found', commit: there });
  expect(await findStart(git, elsewhere, 'origin/feat/there')).toMatchObject({ kind: 'found', commit: there });
});

test('given names of nothing, when a task is to begin there, then the words say what was looked for, where, and what is alike', async () => {
  await using yard = await makeExisting();
  const { git, depot, source, remote } = yard;
  const said = async (from: string): Promise<string> => {
    const found = await findStart(git, depot, from);
    return found.kind === 'found' ? 'found' : `${found.kind}: ${found.message}`;
  };

  expect(await said('feat/hree')).toBe(
    `not-found: There is no branch "feat/hree" in "${source}" or "${remote}": did you mean "feat/here"?`,
  );
  expect(await said('#13')).toBe(
    `not-found: "${remote}" has no request 13: looked for refs/pull/13/head and refs/merge-requests/13/head there`,
  );
  expect(await said('https://host.example/other/app/pull/12')).toContain('belongs to "other/app"');
  expect(await said('strange')).toContain('unrelated: branch "strange"');
  expect(await said('main')).toContain('has no commit that "main" lacks');
  await expect(said('--upload-pack=touch x')).rejects.toThrow('not a plain branch name');
});

test('given a remote that is gone, when a task is to begin on a branch that was fetched from there, then it begins on that, and says so', async () => {
  await using yard = await makeExisting();
  const { git, depot, source, there } = yard;
  await yard.sh(source, 'fetch', '-q', 'origin');
  await yard.sh(source, 'remote', 'set-url', 'origin', '/nowhere/app.git');

  const found = await findStart(git, depot, 'origin/feat/there');

  expect(found).toMatchObject({ kind: 'found', commit: there, name: expect.stringContaining('fetched it last') });
});

test('given existing work, when a place is prepared for a task on it, twice, then its branch is there, and nothing of it counts as left over', async () => {
  await using yard = await makeExisting();
  const { git, depot, source, archive, worktree, here } = yard;
  const base = await bringBase(git, depot);
  await findStart(git, depot, 'feat/here');
  const request = {
    worktree,
    archive,
    worker: WORKER,
    branch: BRANCH,
    source,
    base,
    start: here,
    copyFiles: [],
    now: NOW,
  };

  for (const id of ['one', 'two']) {
    const when = await prepareForTask(git, { ...request, commits: 'set-aside', id });
    expect(when).toMatchObject({ kind: 'prepared', head: here, setAside: { commits: [], uncommitted: [] } });
  }

  expect(await yard.sh(worktree, 'symbolic-ref', '--short', 'HEAD')).toBe(BRANCH);
  expect(await yard.read(worktree, 'feat-here.txt')).toBe('feat/here');
});
