import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LANDING, gitDirOf, landingOf, makeCandidate, removeLanding, withLanding } from '../../src/index.ts';
import { type Yard, makeYard } from '../support.ts';
import { makeWork, placeIn, workAt } from './support.ts';

async function commitIn(yard: Yard, head: string): Promise<string> {
  const made = await makeCandidate(yard.git, placeIn(yard), workAt(yard, head));
  if (made.kind !== 'candidate') throw new Error(made.kind);
  return made.commit;
}

type SetUp = Parameters<typeof withLanding>[2]['setUp'];

const NOTHING_TO_SET_UP: SetUp = { key: '', run: () => Promise.resolve() };

/** Brings the landing worktree of a yard to a commit and runs a shell's words there. */
function land(yard: Yard, commit: string, { script = 'true', setUp = NOTHING_TO_SET_UP } = {}) {
  const act = (at: string): Promise<string> =>
    Promise.resolve(
      execFileSync('sh', ['-c', script], { cwd: at, encoding: 'utf8', env: { PATH: process.env['PATH'] } }),
    );
  return withLanding(yard.git, placeIn(yard), { name: LANDING, commit, archive: yard.archive, setUp, act });
}

test('given a candidate, when it lands, then its files are there, ignored ones stay and others go', async () => {
  await using yard = await makeWork();
  const commit = await commitIn(yard, yard.head);
  await land(yard, commit, { script: 'mkdir build; echo kept > build/tools; git init -q nested' });
  const next = await commitIn(
    yard,
    await yard.commit(yard.worktree, { 'next.txt': 'n\n', 'w.txt': undefined }, 'next'),
  );

  const when = await land(yard, next, { script: 'ls; cat build/tools; git rev-parse HEAD; git status --porcelain' });

  expect(when).toEqual({ kind: 'done', value: `a.txt\nbuild\nmain.txt\nnext.txt\nkept\n${next}\n` });
});

test('given checks that wait for the landing worktree, when those come for which a person waits, then they are next', async () => {
  await using yard = await makeWork();
  const commit = await commitIn(yard, yard.head);
  const sequence: string[] = [];
  const check = (who: string, { isFirst = false, until = Promise.resolve() } = {}) =>
    withLanding(yard.git, placeIn(yard), {
      name: LANDING,
      commit,
      archive: yard.archive,
      isFirst,
      setUp: NOTHING_TO_SET_UP,
      act: async () => {
        sequence.push(who);
        await until;
      },
    });
  const held = Promise.withResolvers<void>();

  const all = [check('one', { until: held.promise }), check('two'), check('asked', { isFirst: true })];
  held.resolve();
  await Promise.all(all);

  expect(sequence).toEqual(['one', 'asked', 'two']);
});

test.each([
  ['change a file', 'echo x >> w.txt', 'w.txt'],
  ['leave a file', 'echo x > left.txt', 'left.txt'],
  ['stage a file', 'echo x > left.txt; git add left.txt; rm left.txt', 'left.txt'],
  ['commit', 'git -c user.name=x -c user.email=x commit -q --allow-empty -m x', 'HEAD'],
  ['check something else out', 'git checkout -q --detach HEAD~1', 'HEAD'],
])(
  'given checks that %s, when they are over, then that is told, and the next landing is clean',
  async (_, script, path) => {
    await using yard = await makeWork();
    const commit = await commitIn(yard, yard.head);

    const when = await land(yard, commit, { script });

    expect(when).toMatchObject({ kind: 'changed', files: [{ path }] });
    expect((await land(yard, commit)).kind).toBe('done');
  },
);

test('given a project with set-up commands, when candidates land, then they run once, again when they change, and again after they failed', async () => {
  await using yard = await makeWork();
  const commit = await commitIn(yard, yard.head);
  const ran: string[] = [];
  const setUp = (key: string, { fails = false } = {}) => ({
    key,
    run: async (at: string) => {
      ran.push(`${key} ${at === landingOf(placeIn(yard), LANDING) ? 'there' : at}`);
      if (fails) throw new Error('no registry');
    },
  });

  await expect(land(yard, commit, { setUp: setUp('one', { fails: true }) })).rejects.toThrow('no registry');
  for (const key of ['one', 'one', 'two']) await land(yard, commit, { setUp: setUp(key) });
  await removeLanding(yard.git, placeIn(yard), LANDING);
  await land(yard, commit, { setUp: setUp('two') });

  expect(ran).toEqual(['one there', 'one there', 'two there', 'two there']);
});

test.each<readonly [string, (yard: Yard, at: string) => Promise<unknown>]>([
  ['nothing is at its place', (_, at) => rm(at, { recursive: true })],
  ['its .git leads elsewhere', ({ worktree }, at) => writeFile(join(at, '.git'), `gitdir: ${worktree}/.git\n`)],
  [
    'its .git is a repository',
    async (yard, at) => {
      await rm(join(at, '.git'));
      await yard.sh(at, 'init', '-q');
      await yard.sh(at, 'config', 'core.fsmonitor', `touch ${yard.dir}/ran; true`);
    },
  ],
  [
    'its .git is a link',
    async ({ worktree }, at) => rm(join(at, '.git')).then(() => symlink(join(worktree, '.git'), join(at, '.git'))),
  ],
  ['its record is gone', (yard) => rm(gitDirOf(placeIn(yard), LANDING), { recursive: true })],
  ['its index is gone', (yard) => rm(join(gitDirOf(placeIn(yard), LANDING), 'index'))],
  ['a killed git left its lock', (yard) => writeFile(join(gitDirOf(placeIn(yard), LANDING), 'index.lock'), '')],
  [
    'a directory became a link',
    async (yard, at) => {
      await rm(join(at, 'w.txt'));
      await mkdir(join(yard.dir, 'outside'), { recursive: true });
      await symlink(join(yard.dir, 'outside'), join(at, 'w.txt'));
    },
  ],
])(
  'given a landing worktree where %s, when a candidate lands, then it is whole again and nothing ran',
  async (_, spoil) => {
    await using yard = await makeWork();
    const commit = await commitIn(yard, yard.head);
    await land(yard, commit);
    await spoil(yard, landingOf(placeIn(yard), LANDING));

    const when = await land(yard, commit, { script: 'cat w.txt; git rev-parse HEAD' });

    expect(when).toEqual({ kind: 'done', value: `w\n${commit}\n` });
    expect(await yard.read(yard.dir, 'ran')).toBeUndefined();
    expect(await yard.sh(yard.worktree, 'status', '--porcelain')).toBe('');
  },
);

test('given checks that take long, when another candidate is made meanwhile, then it does not wait for them', async () => {
  await using yard = await makeYard();
  const commit = await commitIn(yard, await yard.commit(yard.worktree, { 'w.txt': 'w\n' }, 'one'));
  const made: string[] = [];

  await withLanding(yard.git, placeIn(yard), {
    name: LANDING,
    commit,
    archive: yard.archive,
    setUp: NOTHING_TO_SET_UP,
    act: async () => made.push(await commitIn(yard, await yard.commit(yard.worktree, { 'w.txt': 'ww\n' }, 'two'))),
  });

  expect(made).toHaveLength(1);
});
