/** Tests a default branch that somebody rewrites after work began on it: dropped commits never come back with the work. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type DepotPlace,
  diff,
  extendChain,
  findDropped,
  makeCandidate,
  openChange,
  showWork,
} from '../../src/index.ts';
import { addWorker, rebaseIn, WORKER, type Yard, makeYard } from '../support.ts';
import { placeAtHome } from './home-port.ts';
import { placeIn, workAt } from './support.ts';

/** Work that began at a commit of main, which is then no longer in it. */
async function rewrittenUnder(): Promise<Yard & { dropped: string; head: string; main: string }> {
  const yard = await makeYard();
  const dropped = await yard.commit(yard.source, { 'secret.txt': 'of another\n' }, 'of another');
  await yard.sh(yard.worktree, 'pull', '-q', '--ff-only', 'origin', 'main');
  const head = await yard.commit(yard.worktree, { 'w.txt': 'w\n' }, 'the work');
  await yard.sh(yard.source, 'reset', '-q', '--hard', 'HEAD^');
  const main = await yard.commit(yard.source, { 'other.txt': 'o\n' }, 'instead');
  return { ...yard, dropped, head, main };
}

/** A rewrite that the depot has seen itself, of a worker of which nothing else is known. */
async function seenByDepot(
  yard: Yard & { head: string; dropped: string; main: string },
  place = placeIn(yard),
): Promise<void> {
  await yard.sh(yard.source, 'reset', '-q', '--hard', yard.dropped);
  await makeCandidate(yard.git, place, workAt(yard, yard.head));
  await yard.sh(yard.source, 'reset', '-q', '--hard', yard.main);
}

const lines = (first: string, last: string): string => `${first}\n${'-\n'.repeat(20)}${last}\n`;

const shownOf = async (yard: Yard, request: Parameters<typeof showWork>[2]) => {
  const { at: path, base, shown, ...rest } = await showWork(yard.git, placeIn(yard), request);
  await using change = await openChange(yard.git, { path, base, head: shown });
  return { ...rest, base, text: (await diff(change)).text };
};

test('given a main that no longer holds the commit on which work began, when its candidate is made, then there is none and that commit is named', async () => {
  await using yard = await rewrittenUnder();
  const { head, dropped, main } = yard;

  const made = await makeCandidate(yard.git, placeIn(yard), workAt(yard, head, dropped));

  expect(made).toEqual({ kind: 'rewritten', head, base: main, dropped });
});

test.each<[string, (yard: Yard) => DepotPlace]>([
  ['in a directory', placeIn],
  [
    'behind an address',
    ({ dir, source }) => ({
      directory: join(dir, 'depot'),
      target: { kind: 'remote', url: `file://${source}`, defaultBranch: 'main' },
    }),
  ],
  ['on another machine', (yard) => placeAtHome(yard, () => yard.git)],
])(
  'given a main %s and a rewrite that the depot has seen, when the candidate is made of work that took the dropped commit in by itself, then that commit is named',
  async (_, placeOf) => {
    await using yard = await rewrittenUnder();
    const place = placeOf(yard);
    await seenByDepot(yard, place);

    const made = await makeCandidate(yard.git, place, workAt(yard, yard.head));

    expect(made).toMatchObject({ kind: 'rewritten', dropped: yard.dropped });
  },
);

test('given a rewrite that came between the candidate and its publication, when the candidate is made again, then the dropped commit is named', async () => {
  await using yard = await rewrittenUnder();
  await seenByDepot(yard);
  await yard.commit(yard.source, { 'later.txt': 'l\n' }, 'later');

  expect(await makeCandidate(yard.git, placeIn(yard), workAt(yard, yard.head))).toMatchObject({ kind: 'rewritten' });
});

test('given a main whose whole history was written anew, when the candidate is made, then the commit on which the work began is named', async () => {
  await using yard = await rewrittenUnder();
  await yard.sh(yard.source, 'checkout', '-q', '--orphan', 'fresh');
  await yard.commit(yard.source, { 'a.txt': 'one\n' }, 'all of it');
  await yard.sh(yard.source, 'branch', '-q', '-M', 'main');

  const made = await makeCandidate(yard.git, placeIn(yard), workAt(yard, yard.head, yard.dropped));

  expect(made).toMatchObject({ kind: 'rewritten', dropped: yard.dropped });
});

test('given a main that only went on, when the candidate is made of work that stands on a newer commit than it began at, then it is made', async () => {
  await using yard = await makeYard();
  const began = await yard.sh(yard.worktree, 'rev-parse', 'HEAD');
  await yard.commit(yard.source, { 'm.txt': 'm\n' }, 'on main');
  await yard.sh(yard.worktree, 'pull', '-q', '--ff-only', 'origin', 'main');
  const head = await yard.commit(yard.worktree, { 'w.txt': 'w\n' }, 'the work');
  await yard.commit(yard.source, { 'n.txt': 'n\n' }, 'later on main');

  expect(await makeCandidate(yard.git, placeIn(yard), workAt(yard, head, began))).toMatchObject({ kind: 'candidate' });
});

test('given work that was in main itself and was dropped from there, when it is shown and its candidate is made, then all of it is shown and merged', async () => {
  await using yard = await makeYard();
  const head = await yard.commit(yard.worktree, { 'w.txt': 'w\n' }, 'the work');
  const began = await yard.sh(yard.source, 'rev-parse', 'main');
  await yard.sh(yard.source, 'pull', '-q', '--ff-only', yard.worktree, 'HEAD');
  await makeCandidate(yard.git, placeIn(yard), workAt(yard, head, began));
  await yard.sh(yard.source, 'reset', '-q', '--hard', began);

  expect(await makeCandidate(yard.git, placeIn(yard), workAt(yard, head, began))).toMatchObject({ kind: 'candidate' });
});

test('given work that was merged as it is, when somebody drops it and what it began on from main, then that commit is named, and the work alone is shown and rebased', async () => {
  await using yard = await rewrittenUnder();
  const { git, head, dropped, main } = yard;
  await yard.sh(yard.source, 'reset', '-q', '--hard', dropped);
  await yard.sh(yard.source, 'pull', '-q', '--ff-only', yard.worktree, 'HEAD');
  const merged = await makeCandidate(git, placeIn(yard), workAt(yard, head, dropped));
  await yard.sh(yard.source, 'reset', '-q', '--hard', main);

  const made = await makeCandidate(git, placeIn(yard), workAt(yard, head, dropped));
  const beyond = await findDropped(git, placeIn(yard), workAt(yard, head, dropped));

  expect(merged.kind).toBe('contained');
  expect(made).toEqual({ kind: 'rewritten', head, base: main, dropped });
  expect(beyond).toBe(dropped);
  expect(await rebaseIn(yard, { beyond })).toMatchObject({ kind: 'rebased', onto: main });
  expect(await yard.sh(yard.worktree, 'diff', '--name-status', main, 'HEAD')).toBe('A\tw.txt');
});

test('given a rewritten main, when work is rebased, then its own change alone is on the new main, in one go and repeated', async () => {
  await using yard = await rewrittenUnder();
  const { git, worktree, head, dropped, main } = yard;
  const beyond = await findDropped(git, placeIn(yard), workAt(yard, head, dropped));
  expect(beyond).toBe(dropped);

  const when = await rebaseIn(yard, { beyond });

  expect(when).toMatchObject({ kind: 'rebased', onto: main });
  expect(await yard.sh(worktree, 'diff', '--name-status', main, 'HEAD')).toBe('A\tw.txt');
  expect(await rebaseIn(yard, { beyond })).toEqual(when);
});

test('given a main that was set back to an older commit, when work of several commits is rebased, then the dropped commit goes and the work stays', async () => {
  await using yard = await rewrittenUnder();
  const { git, worktree, dropped, source } = yard;
  await yard.sh(source, 'reset', '-q', '--hard', 'HEAD^');
  const main = await yard.sh(source, 'rev-parse', 'main');
  const head = await yard.commit(worktree, { 'w.txt': 'more\n' }, 'more');

  const made = await makeCandidate(git, placeIn(yard), workAt(yard, head, dropped));
  expect(made).toMatchObject({ kind: 'rewritten', dropped });
  await rebaseIn(yard, { beyond: dropped });

  expect(await yard.sh(worktree, 'diff', '--name-status', main, 'HEAD')).toBe('A\tw.txt');
  expect(await yard.sh(worktree, 'log', '--format=%s', `${main}..HEAD`)).toBe('the work');
});

test('given a rewritten main, when the work is shown, then it is its own change alone, and the dropped commit is named', async () => {
  await using yard = await rewrittenUnder();
  const { head, dropped } = yard;

  const shown = await shownOf(yard, workAt(yard, head, dropped));

  expect(shown).toMatchObject({ base: dropped, dropped });
  expect(shown.text).toContain('w.txt');
  expect(shown.text).not.toContain('secret.txt');
});

test('given a train, when a member holds what main dropped, then it is left out and the commit is named', async () => {
  await using yard = await rewrittenUnder();
  await seenByDepot(yard);
  const at = await addWorker(yard, 'bea');
  await yard.sh(at, 'reset', '-q', '--hard', yard.dropped);
  const bea = await yard.commit(at, { 'bea.txt': 'b\n' }, 'the work of bea');
  const items = [{ worker: 'bea', at: { head: bea, tree: null } }];
  await makeCandidate(yard.git, placeIn(yard), workAt(yard, yard.head));

  const { links, left } = await extendChain(yard.git, placeIn(yard), {
    onto: yard.main,
    root: yard.root,
    archive: yard.archive,
    items,
  });

  expect(links).toEqual([]);
  expect(left).toMatchObject([{ why: 'changed', detail: expect.stringContaining(yard.dropped.slice(0, 7)) }]);
});

test('given main took a part of what was shown, when the work is merged after that, then it is not, and is to be reviewed again', async () => {
  await using yard = await makeYard();
  const began = await yard.sh(yard.source, 'rev-parse', 'main');
  const head = await yard.commit(yard.worktree, { 'w.txt': 'w\n', 'x.txt': 'x\n' }, 'the work');
  const { base: against } = await shownOf(yard, workAt(yard, head, began));
  await yard.commit(yard.source, { 'x.txt': 'x\n' }, 'the same by hand');
  const work = { ...workAt(yard, head, began), against };

  expect(await makeCandidate(yard.git, placeIn(yard), work)).toMatchObject({
    kind: 'changed',
    head,
    why: expect.stringContaining(`"drover review ${WORKER}" again`),
  });
  const items = [{ worker: WORKER, at: { head, tree: null, against } }];
  const main = await yard.sh(yard.source, 'rev-parse', 'main');
  const { left } = await extendChain(yard.git, placeIn(yard), {
    onto: main,
    root: yard.root,
    archive: yard.archive,
    items,
  });
  expect(left).toMatchObject([{ why: 'changed' }]);
});

test('given main went on in the same file, when the work is merged after that, then the change is the one that was shown', async () => {
  await using yard = await makeYard();
  const began = await yard.commit(yard.source, { 'a.txt': lines('one', 'two') }, 'long');
  await yard.sh(yard.worktree, 'pull', '-q', '--ff-only', 'origin', 'main');
  const head = await yard.commit(yard.worktree, { 'a.txt': lines('one', 'TWO') }, 'the work');
  const { base: against } = await shownOf(yard, workAt(yard, head, began));
  await yard.commit(yard.source, { 'a.txt': lines('zero\none', 'two') }, 'meanwhile');

  const made = await makeCandidate(yard.git, placeIn(yard), { ...workAt(yard, head, began), against });

  expect(made).toMatchObject({ kind: 'candidate' });
});

test('given a main that went on, when work is shown, then it is the very change of its candidate, and the same again for the main of that time', async () => {
  await using yard = await makeYard();
  const began = await yard.sh(yard.source, 'rev-parse', 'main');
  await yard.commit(yard.source, { 'a.txt': 'ONE\ntwo\nthree\n', 'm.txt': 'm\n' }, 'on main');
  await yard.sh(yard.worktree, 'fetch', '-q', 'origin');
  await yard.commit(yard.worktree, { 'w.txt': 'w\n' }, 'the work');
  await yard.sh(yard.worktree, 'merge', '-q', '--no-edit', 'origin/main');
  const head = await yard.sh(yard.worktree, 'rev-parse', 'HEAD');

  const shown = await shownOf(yard, workAt(yard, head, began));
  const made = await makeCandidate(yard.git, placeIn(yard), workAt(yard, head, began));
  await yard.commit(yard.source, { 'later.txt': 'l\n' }, 'later');
  const again = await shownOf(yard, { ...workAt(yard, head, began), main: shown.base });

  expect(made).toMatchObject({ kind: 'candidate', base: shown.base });
  expect(shown.text).toMatch(/^diff --git a\/w\.txt b\/w\.txt\n(?!.*diff --git)/su);
  expect(again.text).toBe(shown.text);
});
