import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Git, depotOf, makeCandidate } from '../../src/index.ts';
import { BRANCH, type Yard, makeYard } from '../support.ts';
import { makeWork, olderGit, placeIn, workAt } from './support.ts';

/** The gits that this machine can play. */
const GITS = [
  ['this git', (git: Git) => git],
  ['a git before 2.38', olderGit],
] as const;

async function candidateOf(yard: Yard, head: string, git: Git = yard.git) {
  const made = await makeCandidate(git, placeIn(yard), workAt(yard, head));
  if (made.kind !== 'candidate') throw new Error(`no candidate: ${JSON.stringify(made)}`);
  return made;
}

test.each(GITS)(
  'given work on an older main and %s, when its candidate is made, then it is one commit on the newest main',
  async (_, age) => {
    await using yard = await makeWork();
    await yard.commit(yard.worktree, { 'w.txt': 'ww\n' }, 'more\n\nCo-Authored-By: Claude <noreply@anthropic.com>');
    const head = await yard.sh(yard.worktree, 'rev-parse', 'HEAD');
    const before = await yard.sh(yard.worktree, 'status', '--porcelain=v2', '--branch');

    const made = await candidateOf(yard, head, age(yard.git));

    const depot = depotOf(placeIn(yard));
    const main = await yard.sh(yard.source, 'rev-parse', 'main');
    expect(made).toMatchObject({ head, base: main, notes: [] });
    expect(await yard.sh(depot, 'log', '-1', '--format=%P|%T|%an|%B', made.commit)).toBe(
      `${main}|${made.tree}|Ada|the work\n\n* more`,
    );
    expect(await yard.sh(depot, 'diff', '--name-status', made.base, made.commit)).toBe('D\tb.txt\nA\tw.txt');
    expect(await yard.sh(yard.worktree, 'status', '--porcelain=v2', '--branch')).toBe(before);
  },
);

test('given the same head and main, when the candidate is made again, on another machine, or by an older git, then it has the same id', async () => {
  await using yard = await makeWork();
  const first = await candidateOf(yard, yard.head);
  const elsewhere = { ...placeIn(yard), directory: join(yard.dir, 'elsewhere') };
  await yard.sh(yard.worktree, 'config', 'user.name', 'Somebody else');

  const again = [
    await candidateOf(yard, yard.head),
    await candidateOf(yard, yard.head, olderGit(yard.git)),
    await makeCandidate(yard.git, elsewhere, workAt(yard, yard.head)),
  ];

  expect(again).toEqual([first, first, first]);
});

test('given work of one plain commit on the newest main, when its candidate is made, then it is that commit', async () => {
  await using yard = await makeYard();
  const head = await yard.commit(yard.worktree, { 'w.txt': 'w\n' }, 'the work');

  expect(await candidateOf(yard, head)).toMatchObject({ commit: head });
});

test.each(GITS)(
  'given work that clashes with main and %s, when its candidate is made, then the files are named',
  async (_, age) => {
    await using yard = await makeYard();
    const head = await yard.commit(yard.worktree, { 'a.txt': 'mine\n', 'b.txt': undefined }, 'the work');
    const base = await yard.commit(yard.source, { 'a.txt': 'theirs\n', 'b.txt': 'changed\n' }, 'meanwhile');

    const made = await makeCandidate(age(yard.git), placeIn(yard), workAt(yard, head));

    expect(made).toEqual({ kind: 'clash', head, base, files: ['a.txt', 'b.txt'] });
  },
);

test.each(GITS)(
  'given work that main has already and %s, when its candidate is made, then it is contained',
  async (_, age) => {
    await using yard = await makeYard();
    const files = { 'same.txt': 'the same\n' };
    const head = await yard.commit(yard.worktree, files, 'the work');
    const base = await yard.commit(yard.source, { ...files, 'other.txt': 'o\n' }, 'the same by hand');

    const made = await makeCandidate(age(yard.git), placeIn(yard), workAt(yard, head));

    expect(made).toEqual({ kind: 'contained', head, base });
  },
);

test.each(GITS)(
  'given attributes that choose how a file is merged and %s, when both changed it, then that is a clash all the same',
  async (_, age) => {
    await using yard = await makeYard();
    await yard.commit(yard.source, { '.gitattributes': '* merge=union\n' }, 'attributes');
    await yard.sh(yard.worktree, 'pull', '-q', '--ff-only', 'origin', 'main');
    const head = await yard.commit(yard.worktree, { 'a.txt': 'mine\n' }, 'the work');
    await yard.commit(yard.source, { 'a.txt': 'theirs\n' }, 'meanwhile');

    const made = await makeCandidate(age(yard.git), placeIn(yard), workAt(yard, head));

    expect(made).toMatchObject({ kind: 'clash', files: ['a.txt'] });
  },
);

test('given a branch that has no commit of its own, when its candidate is made, then it is contained', async () => {
  await using yard = await makeYard();
  const head = await yard.sh(yard.worktree, 'rev-parse', 'HEAD');

  expect((await makeCandidate(yard.git, placeIn(yard), workAt(yard, head))).kind).toBe('contained');
});

test('given a main that was rewritten, when the candidate is made, then it stands on the new one', async () => {
  await using yard = await makeWork();
  await candidateOf(yard, yard.head);
  await yard.sh(yard.source, 'commit', '-q', '--amend', '-m', 'rewritten');

  expect(await candidateOf(yard, yard.head)).toMatchObject({ base: await yard.sh(yard.source, 'rev-parse', 'main') });
});

test('given work that took back what others did while its task ran, when its candidate is made, then the paths are named', async () => {
  await using yard = await makeYard();
  const began = await yard.sh(yard.worktree, 'rev-parse', 'HEAD');
  await yard.commit(yard.source, { 'a.txt': 'others\n', 'b.txt': 'others\n' }, 'others');
  await yard.sh(yard.worktree, 'pull', '-q', '--ff-only', 'origin', 'main');
  const old = await yard.sh(yard.worktree, 'show', `${began}:a.txt`);
  const head = await yard.commit(yard.worktree, { 'a.txt': `${old}\n`, 'w.txt': 'w\n' }, 'the work');

  const made = await makeCandidate(yard.git, placeIn(yard), workAt(yard, head, began));

  expect(made).toMatchObject({ notes: [{ kind: 'undone-others', paths: ['a.txt'], count: 1 }] });
  const nobody = await makeCandidate(yard.git, placeIn(yard), workAt(yard, head, '1'.repeat(40)));
  expect(nobody).toMatchObject({ kind: 'candidate', notes: [] });
});

test('given a commit by somebody without a name, when its candidate is made, then Drover is its author, each time the same', async () => {
  await using yard = await makeWork();
  const head = await yard.disown(yard.worktree);

  const made = await candidateOf(yard, head);

  const who = await yard.sh(depotOf(placeIn(yard)), 'log', '-1', '--format=%an <%ae> %cn <%ce>', made.commit);
  expect(who).toBe('Drover <drover@localhost> Drover <drover@localhost>');
  expect(await candidateOf(yard, head, olderGit(yard.git))).toEqual(made);
});

test('given locks of a killed git everywhere in the depot, when the candidate is made, then they hold nothing up', async () => {
  await using yard = await makeWork();
  const first = await candidateOf(yard, yard.head);
  const depot = depotOf(placeIn(yard));
  const refs = ['refs/heads/main.lock', 'refs/drover/reviews/alba.lock'];
  const locks = [...refs, 'HEAD.lock', 'packed-refs.lock', 'config.lock', 'objects/info/commit-graph.lock'];
  for (const lock of locks) await writeFile(join(depot, lock), '');
  const head = await yard.commit(yard.worktree, { 'w.txt': 'www\n' }, 'later');

  expect(await candidateOf(yard, head)).toMatchObject({ base: first.base });
  const left = (await readdir(depot, { recursive: true })).filter((path) => path.endsWith('.lock'));
  expect(left).toEqual([]);
});

test('given a git that calls a merge clean in which it says that files collide, when a candidate is made, then the work clashes', async () => {
  await using yard = await makeWork();
  const words = ['1', 'a.txt', 'Auto-merging', 'Auto-merging a.txt\n', '2', 'w.txt', 'b.txt'];
  const told = [
    '',
    ...words,
    'CONFLICT (rename involved in collision)',
    'CONFLICT (rename …): rename of b.txt …\n',
    '',
  ];
  const lenient: Git = {
    ...yard.git,
    run: async (program, args, options) => {
      const result = await yard.git.run(program, args, options);
      return args.includes('merge-tree')
        ? { ...result, stdout: `${result.stdout.slice(0, 40)}\0${told.join('\0')}` }
        : result;
    },
  };

  const made = await makeCandidate(lenient, placeIn(yard), workAt(yard, yard.head));

  expect(made).toMatchObject({ kind: 'clash', files: ['w.txt', 'b.txt'] });
});

test('given candidates of several workers at once, when they are made, then one git at a time writes in the depot', async () => {
  await using yard = await makeWork();
  let running = 0;
  let most = 0;
  const depot = depotOf(placeIn(yard));
  const counting: Git = {
    ...yard.git,
    run: async (program, args, options) => {
      const isReader = ['log', 'cat-file', 'diff-tree'].some((word) => args.includes(word));
      if (!args.includes(depot) || isReader) return yard.git.run(program, args, options);
      running += 1;
      most = Math.max(most, running);
      const result = await yard.git.run(program, args, options);
      running -= 1;
      return result;
    },
  };

  const names = ['ada', 'bea', 'cleo'];
  const made = await Promise.all(
    names.map((worker) => makeCandidate(counting, placeIn(yard), { ...workAt(yard, yard.head), worker })),
  );

  expect(new Set(made.map((one) => one.kind === 'candidate' && one.commit)).size).toBe(1);
  expect(most).toBe(1);
});

test.each([
  ['shallow', ['--depth=1'], 'git fetch --unshallow'],
  ['partial', ['--filter=blob:none'], '--filter'],
])(
  'given a %s source, when a candidate is asked for, then it is refused with what completes it',
  async (_, flags, words) => {
    await using yard = await makeWork();
    await yard.sh(yard.source, 'config', 'uploadpack.allowFilter', 'true');
    const source = join(yard.dir, 'incomplete');
    await yard.sh(yard.dir, 'clone', '-q', ...flags, `file://${yard.source}`, source);
    const target = { kind: 'source', source, defaultBranch: 'main' } as const;
    const place = { directory: join(yard.dir, 'fresh'), target };

    const refused = await makeCandidate(yard.git, place, workAt(yard, yard.head)).catch((error: unknown) => error);

    expect(refused).toMatchObject({ code: 'incomplete', message: expect.stringContaining(words) });
  },
);

test('given a head that is no full id, or is not in the clone, when a candidate is asked for, then it fails and leaves no ref', async () => {
  await using yard = await makeWork();
  for (const head of [BRANCH, '--upload-pack=touch x', '1'.repeat(40)])
    await expect(makeCandidate(yard.git, placeIn(yard), workAt(yard, head))).rejects.toThrow(
      /is not the full id of a commit|Cannot bring the work/u,
    );

  expect(await yard.sh(depotOf(placeIn(yard)), 'for-each-ref', 'refs/drover/reviews')).toBe('');
});
