// Tests that accepted work is handed over as a branch, never over what others pushed, and that a merge by people is
// seen.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type DepotPlace, type Git, depotOf, forgetWork, makeCandidate, noteAsked, offer } from '../../src/index.ts';
import { WORKER, type Yard, makeYard } from '../support.ts';
import { placeIn, workAt } from './support.ts';

const TASK = '0a1b2c3d-1111-4111-8111-111111111111';
const BRANCH = `drover/${WORKER}-0a1b2c3d`;

interface Desk extends Yard {
  readonly remote: string;
  readonly person: string;
  readonly place: DepotPlace;
  readonly head: string;
}

/** Work on a project whose default branch lies in a bare repository, and a person with a clone of it. */
async function makeDesk(): Promise<Desk> {
  const yard = await makeYard();
  const [remote, person] = [join(yard.dir, 'remote.git'), join(yard.dir, 'person')];
  await yard.sh(yard.dir, 'clone', '-q', '--bare', yard.source, remote);
  await yard.sh(yard.dir, 'clone', '-q', `file://${remote}`, person);
  const head = await yard.commit(yard.worktree, { 'w.txt': 'w\n' }, 'the work');
  const target = { kind: 'remote', url: `file://${remote}`, defaultBranch: 'main' } as const;
  return { ...yard, remote, person, head, place: { directory: join(yard.dir, 'depot'), target } };
}

async function candidateOf(desk: Desk, head = desk.head, git = desk.git) {
  const made = await makeCandidate(git, desk.place, { ...workAt(desk, head), mayBeOffered: true });
  if (made.kind !== 'candidate') throw new Error(made.kind);
  return { worker: WORKER, task: TASK, head, base: made.base, commit: made.commit };
}

/** A git that ends at the push: before it is sent, or when its answer is lost. */
function dyingAtPush(git: Git, when: 'before' | 'after'): Git {
  return {
    ...git,
    run: async (program, args, options) => {
      if (!args.includes('push')) return git.run(program, args, options);
      if (when === 'after') await git.run(program, args, options);
      throw new Error('killed');
    },
  };
}

test('given accepted work, when it is handed over twice, then its branch is there once and main has not moved', async () => {
  await using desk = await makeDesk();
  const request = await candidateOf(desk);

  const outcomes = [await offer(desk.git, desk.place, request), await offer(desk.git, desk.place, request)];

  expect(outcomes).toEqual([
    { kind: 'offered', branch: BRANCH, isAsked: false },
    { kind: 'offered', branch: BRANCH, isAsked: false },
  ]);
  expect(await desk.sh(desk.remote, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads')).toBe(
    `refs/heads/${BRANCH} ${request.commit}\nrefs/heads/main ${request.base}`,
  );
});

test('given people who were asked once, when the branch moves on, then it is known that they were asked', async () => {
  await using desk = await makeDesk();
  const first = await candidateOf(desk);
  await offer(desk.git, desk.place, first);
  await noteAsked(desk.git, desk.place, first);
  const head = await desk.commit(desk.worktree, { 'w.txt': 'better\n' }, 'improved');
  const second = await candidateOf(desk, head);

  const outcome = await offer(desk.git, desk.place, second);

  expect(outcome).toEqual({ kind: 'offered', branch: BRANCH, isAsked: true });
  expect(await desk.sh(desk.remote, 'rev-parse', BRANCH)).toBe(second.commit);
});

test.each(['a commit on top of it', 'another commit'])(
  'given a branch of that name on which somebody else put %s, when work is handed over, then it stays as it is',
  async (what) => {
    await using desk = await makeDesk();
    await offer(desk.git, desk.place, await candidateOf(desk));
    await desk.sh(desk.person, 'fetch', '-q');
    await desk.sh(desk.person, 'checkout', '-q', '-b', 'mine', what === 'another commit' ? 'main' : `origin/${BRANCH}`);
    const theirs = await desk.commit(desk.person, { 'p.txt': 'p\n' }, 'theirs');
    await desk.sh(desk.person, 'push', '-q', '--force', 'origin', `mine:${BRANCH}`);
    const head = await desk.commit(desk.worktree, { 'w.txt': 'better\n' }, 'improved');

    const outcome = await offer(desk.git, desk.place, await candidateOf(desk, head));

    expect(outcome).toMatchObject({ kind: 'refused', words: expect.stringContaining(`"${BRANCH}" at ${theirs}`) });
    expect(await desk.sh(desk.remote, 'rev-parse', BRANCH)).toBe(theirs);
  },
);

test.each(['before', 'after'] as const)(
  'given a push that is cut off %s it is sent, when newer work is handed over, then the branch is at that',
  async (when) => {
    await using desk = await makeDesk();
    await offer(desk.git, desk.place, await candidateOf(desk));
    const second = await candidateOf(desk, await desk.commit(desk.worktree, { 'w.txt': 'two\n' }, 'two'));
    await expect(offer(dyingAtPush(desk.git, when), desk.place, second)).rejects.toThrow('killed');
    const third = await candidateOf(desk, await desk.commit(desk.worktree, { 'w.txt': 'three\n' }, 'three'));

    const outcome = await offer(desk.git, desk.place, third);

    expect(outcome).toMatchObject({ kind: 'offered' });
    expect(await desk.sh(desk.remote, 'rev-parse', BRANCH)).toBe(third.commit);
  },
);

test('given a remote that refuses branches, when work is handed over, then its words come back', async () => {
  await using desk = await makeDesk();
  await writeFile(join(desk.remote, 'hooks/update'), '#!/bin/sh\necho "no branches here"\nexit 1\n', { mode: 0o755 });

  const outcome = await offer(desk.git, desk.place, await candidateOf(desk));

  expect(outcome).toMatchObject({ kind: 'refused', words: expect.stringContaining('no branches here') });
});

describe('merged by people', () => {
  const WAYS = {
    'a merge commit': async ({ sh, person }) => {
      await sh(person, 'merge', '-q', '--no-ff', '-m', 'merged', `origin/${BRANCH}`);
    },
    'a squashed commit': async ({ sh, person }) => {
      await sh(person, 'merge', '-q', '--squash', `origin/${BRANCH}`);
      await sh(person, 'commit', '-q', '-m', 'squashed');
    },
    'a squashed commit that somebody changed since': async ({ sh, person, commit }) => {
      await sh(person, 'merge', '-q', '--squash', `origin/${BRANCH}`);
      await sh(person, 'commit', '-q', '-m', 'squashed');
      await commit(person, { 'w.txt': 'changed again\n' }, 'later');
    },
    'a merge commit that somebody changed since': async ({ sh, person, commit }) => {
      await sh(person, 'merge', '-q', '--no-ff', '-m', 'merged', `origin/${BRANCH}`);
      await commit(person, { 'w.txt': 'changed again\n' }, 'later');
    },
  } satisfies Record<string, (desk: Desk) => Promise<void>>;

  test('given garbage that was collected since, when people merge it after the default branch has moved, then it is known', async () => {
    await using desk = await makeDesk();
    const othersGoOn = async (file: string): Promise<void> => {
      await desk.commit(desk.person, { [file]: 'other\n' }, 'of others');
      await desk.sh(desk.person, 'push', '-q', 'origin', 'main');
    };
    // Expects the offered commit to be none of the worker's own.
    await othersGoOn('before.txt');
    await offer(desk.git, desk.place, await candidateOf(desk));
    await othersGoOn('after.txt');
    await candidateOf(desk);
    await desk.sh(depotOf(desk.place), 'gc', '-q', '--prune=now');
    await desk.sh(desk.person, 'fetch', '-q');
    await WAYS['a squashed commit that somebody changed since'](desk);
    await desk.sh(desk.person, 'push', '-q', 'origin', 'main');

    const again = await makeCandidate(desk.git, desk.place, { ...workAt(desk, desk.head), mayBeOffered: true });

    expect(again).toMatchObject({ kind: 'contained', head: desk.head });
  });

  test.each(Object.keys(WAYS) as (keyof typeof WAYS)[])(
    'given %s, when the candidate is made again, then main has all of the work',
    async (way) => {
      await using desk = await makeDesk();
      const request = await candidateOf(desk);
      await offer(desk.git, desk.place, request);
      await desk.sh(desk.person, 'fetch', '-q');
      await WAYS[way](desk);
      await desk.sh(desk.person, 'push', '-q', 'origin', 'main', `:${BRANCH}`);

      const again = await makeCandidate(desk.git, desk.place, { ...workAt(desk, desk.head), mayBeOffered: true });

      expect(again).toMatchObject({ kind: 'contained', head: desk.head });
    },
  );

  test('given commits that came after what people merged, when the candidate is made again, then they are still to be merged', async () => {
    await using desk = await makeDesk();
    await offer(desk.git, desk.place, await candidateOf(desk));
    await desk.sh(desk.person, 'fetch', '-q');
    await WAYS['a merge commit'](desk);
    await desk.sh(desk.person, 'push', '-q', 'origin', 'main');
    const later = await desk.commit(desk.worktree, { 'later.txt': 'x\n' }, 'later');

    const again = await makeCandidate(desk.git, desk.place, { ...workAt(desk, later), mayBeOffered: true });

    expect(again).toMatchObject({ kind: 'candidate', head: later });
  });
});

test('given a source on this machine, when work is handed over, then it gets the branch and its hooks do not run', async () => {
  await using desk = await makeDesk();
  const ran = join(desk.dir, 'ran');
  for (const hook of ['pre-receive', 'update', 'post-receive', 'reference-transaction'])
    await writeFile(join(desk.source, '.git/hooks', hook), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
  const local = { ...desk, place: placeIn(desk) };
  const request = await candidateOf(local);

  const outcome = await offer(desk.git, local.place, request);

  expect(outcome).toMatchObject({ kind: 'offered' });
  expect(await desk.sh(desk.source, 'rev-parse', BRANCH)).toBe(request.commit);
  expect(await desk.git.files.stat(ran)).toBeUndefined();
});

test('given work that is done with, when it is forgotten, then the depot keeps nothing of it', async () => {
  await using desk = await makeDesk();
  const request = await candidateOf(desk);
  await offer(desk.git, desk.place, request);
  await noteAsked(desk.git, desk.place, request);

  await forgetWork(desk.git, desk.place, WORKER);

  expect(await desk.sh(join(desk.place.directory, 'depot.git'), 'for-each-ref', 'refs/drover')).toBe('');
});
