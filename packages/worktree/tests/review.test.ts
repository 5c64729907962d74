import { expect, test } from 'vitest';
import {
  commits,
  diff,
  openChange,
  readWorktree,
  reviewNotes,
  sides,
  squashWork,
  standing,
  stat,
  validate,
} from '../src/index.ts';
import { inYard, NOW, makeYard } from './support.ts';

test('given odd names, a binary and a rename, when reviewed, then stat, diff and commits tell them', async () => {
  await using yard = await makeYard();
  await yard.commit(
    yard.worktree,
    { 'tab\t ü.txt': 'x\ny\n', 'p.bin': '\0\u0001', 'b.txt': undefined, 'bee.txt': 'bee\n' },
    'one — ü',
  );
  await yard.commit(yard.source, { 'main-only.txt': '' });

  await using change = await openChange(yard.git, { path: yard.worktree, base: 'origin/main', head: 'HEAD' });
  const stats = stat(change);

  expect([...stats].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: 'bee.txt', from: 'b.txt', added: 0, deleted: 0, modes: ['100644', '100644'], bytes: undefined },
    {
      path: 'p.bin',
      from: undefined,
      added: undefined,
      deleted: undefined,
      modes: ['000000', '100644'],
      bytes: [0, 2],
    },
    { path: 'tab\t ü.txt', from: undefined, added: 2, deleted: 0, modes: ['000000', '100644'], bytes: undefined },
  ]);
  expect(await sides(change, { maxBytes: 40 })).toEqual([
    { path: 'bee.txt', from: 'b.txt', content: ['bee\n', 'bee\n'] },
    { path: 'p.bin', from: 'p.bin', content: null },
    { path: 'tab\t ü.txt', from: 'tab\t ü.txt', content: ['', 'x\ny\n'] },
  ]);
  expect((await sides(change, { maxBytes: 20 })).map(({ content }) => content === null)).toEqual([false, true, true]);
  expect((await diff(change)).text).toContain('+++ "b/tab\\t ü.txt"');
  expect(await commits(change)).toMatchObject([
    { subject: 'one — ü', author: { name: 'Ada', email: 'ada@example.org' } },
  ]);
});

test('given a diff of 3 MB and a limit, when read, then it is cut and says so', async () => {
  await using yard = await makeYard();
  await yard.commit(yard.worktree, { 'big.txt': 'ß line\n'.repeat(400_000) });

  await using change = await openChange(yard.git, { path: yard.worktree, base: 'origin/main' });
  const when = await diff(change, { maxBytes: 10_001 });

  expect(when.cut).toBe(true);
  expect(Buffer.byteLength(when.text)).toBeLessThan(10_010);
});

test('given 500 changed files, when looked at, then 200 are listed, all are counted, and three processes ran', async () => {
  await using yard = await makeYard();
  await yard.commit(yard.worktree, {}, 'subject');
  await yard.write(yard.worktree, Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}.txt`, ''])));
  yard.calls.length = 0;

  const when = await readWorktree(yard.git, { path: yard.worktree, base: 'origin/main' });

  expect(when).toMatchObject({ changeCount: 500, ahead: 1, behind: 0, subject: 'subject', author: { name: 'Ada' } });
  expect(when.changes).toHaveLength(200);
  expect(yard.calls).toHaveLength(3);
  expect(yard.calls.every((call) => call.includes('GIT_OPTIONAL_LOCKS=0'))).toBe(true);
});

test('given work, when all of it is read for a review, then one view is made, and nine processes ran', async () => {
  await using yard = await makeYard();
  await yard.commit(yard.worktree, { 'n.txt': 'n\n' });
  yard.calls.length = 0;

  await using change = await openChange(yard.git, { path: yard.worktree, base: 'origin/main' });
  const all = [await diff(change), await commits(change), await reviewNotes(change), await standing(change)];

  expect(all).toHaveLength(4);
  expect(yard.calls.filter((call) => call.includes('mktemp'))).toHaveLength(1);
  expect(yard.calls).toHaveLength(9);
});

test('given checks as string and as words, when one fails, then those after it do not run and its output is kept', async () => {
  await using yard = await makeYard();
  const commandList = [['test', '-f', 'a.txt'], 'echo seen; echo why >&2; exit 3', 'touch ran'];

  const when = await validate(yard.git, { worktree: yard.worktree, commands: commandList });

  expect(when).toMatchObject({
    kind: 'failed',
    results: [{ status: 0 }, { status: 3, output: 'seen\n\nwhy\n', timedOut: false }],
  });
  expect(await yard.read(yard.worktree, 'ran')).toBeUndefined();
});

test.each([
  [['no-such-tool', '--all'], 'no-such-tool'],
  ['no-such-tool --all', 'no-such-tool'],
  [['sh', '-c', 'no-such-tool && make'], 'no-such-tool'],
  // Case of a program that exists, and that meets what the work lacks: the fault is the agent's.
  [['sh', '-c', 'test -d . && no-such-tool'], null],
  [['./check.sh'], null],
  ['exit 127', null],
] as const)(
  'given the check %j, when its program is not on the machine, then that is told apart from work that fails',
  async (command, program) => {
    await using yard = await makeYard();

    const when = await validate(yard.git, { worktree: yard.worktree, commands: [command] });

    expect(when).toMatchObject(program === null ? { kind: 'failed' } : { kind: 'program-missing', program });
  },
);

test('given a check that hangs and one that floods, when run, then the deadline and the limit hold', async () => {
  await using yard = await makeYard();
  const run = async (command: string, timeoutMs: number) =>
    (await validate(yard.git, { worktree: yard.worktree, commands: [command], timeoutMs })).results[0];

  expect(await run('exec sleep 600', 100)).toMatchObject({ timedOut: true });
  const flood = await run('yes line | head -c 3000000; echo the end; exit 1', 20_000);
  expect(flood).toMatchObject({ status: 1, cut: true });
  expect(flood?.output.length).toBeLessThan(40_000);
  expect(flood?.output.endsWith('the end\n')).toBe(true);
});

test('given a branch that is not ready to be squashed, when squashed, then each reason is told', async () => {
  await using yard = await makeYard();
  const request = { ...inYard(yard), base: 'origin/main', head: 'HEAD', now: NOW };
  expect((await squashWork(yard.git, request)).kind).toBe('nothing-to-accept');
  await yard.commit(yard.worktree, { 'n.txt': '' });
  await yard.commit(yard.worktree, { 'n.txt': undefined });
  expect((await squashWork(yard.git, request)).kind).toBe('nothing-to-accept');
  await yard.write(yard.worktree, { 'u.txt': '' });
  expect((await squashWork(yard.git, request)).kind).toBe('dirty');
  await yard.commit(yard.worktree, {});
  await yard.commit(yard.source, { 'm.txt': '' });
  await yard.sh(yard.worktree, 'fetch', '-q', 'origin');
  expect((await squashWork(yard.git, request)).kind).toBe('not-rebased');
  await yard.sh(yard.worktree, 'checkout', '-q', '--detach');
  expect((await squashWork(yard.git, request)).kind).toBe('wrong-branch');
});

test('given two commits of a person, when squashed twice, then author and subject stay, and old commits are in the trash', async () => {
  await using yard = await makeYard();
  await yard.commit(yard.worktree, { 'n.txt': 'n' }, 'wip');
  const head = await yard.commit(yard.worktree, { 'o.txt': 'o' }, 'wip 2');
  const request = {
    ...inYard(yard),
    base: 'origin/main',
    head,
    now: NOW,
  };

  const when = await squashWork(yard.git, request);

  if (when.kind !== 'squashed') throw new Error(when.kind);
  expect(await yard.sh(yard.worktree, 'log', '-1', '--format=%an %s', BRANCH_TIP)).toBe('Ada wip');
  expect(await yard.sh(yard.archive, 'rev-parse', `${when.trash}^1`)).toBe(head);
  expect(await yard.sh(yard.worktree, 'status', '--porcelain')).toBe('');
  expect(await squashWork(yard.git, request)).toEqual({ kind: 'already', commit: when.commit });
});

test('given a commit by somebody without a name, when it is squashed, then Drover is its author', async () => {
  await using yard = await makeYard();
  await yard.commit(yard.worktree, { 'n.txt': 'n' }, 'wip');
  await yard.disown(yard.worktree);
  const head = await yard.commit(yard.worktree, { 'o.txt': 'o' }, 'wip 2');

  const when = await squashWork(yard.git, {
    ...inYard(yard),
    base: 'origin/main',
    head,
    now: NOW,
  });

  expect(when.kind).toBe('squashed');
  expect(await yard.sh(yard.worktree, 'log', '-1', '--format=%an <%ae>', BRANCH_TIP)).toBe('Drover <drover@localhost>');
});

const BRANCH_TIP = 'refs/heads/drover/alba';
