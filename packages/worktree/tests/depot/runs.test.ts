/** Commits of runs: kept in the depot, joined, and made into what would be merged. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  candidateOfRun,
  checkpoint,
  depotOf,
  forgetRun,
  joinRun,
  pinAlsoForRun,
  pinForRun,
  pinMainForRun,
  pinSavedForRun,
} from '../../src/index.ts';
import { addWorker, inYard, makeYard, NOW, WORKER, type Yard } from '../support.ts';
import { placeIn } from './support.ts';

const RUN = '0199aaaa-0000-7000-8000-00001234abcd';
const OTHER = '0199aaaa-0000-7000-8000-00005678abcd';

async function pinned(yard: Yard, worker: string, clone: string, files: Record<string, string>) {
  const head = await yard.commit(clone, files, `the work of ${worker}`);
  return pinForRun(yard.git, placeIn(yard), { run: RUN, worker, clone, head });
}

async function refsOf(yard: Yard, run = RUN): Promise<readonly string[]> {
  const text = await yard.sh(
    depotOf(placeIn(yard)),
    'for-each-ref',
    '--format=%(objectname)',
    `refs/drover/runs/${run}`,
  );
  return text.split('\n').filter(Boolean).toSorted();
}

test('given work of a worker, when it is pinned twice and the worker goes on, then the depot keeps that commit once, until the run lets go', async () => {
  await using yard = await makeYard();
  const first = await pinned(yard, WORKER, yard.worktree, { 'a.txt': 'a\n' });
  await yard.commit(yard.worktree, { 'a.txt': 'b\n' }, 'more');

  const work = { run: RUN, worker: WORKER, clone: yard.worktree, head: first.commit };
  expect(await pinForRun(yard.git, placeIn(yard), work)).toEqual(first);
  expect(await refsOf(yard)).toEqual([first.commit]);

  await forgetRun(yard.git, placeIn(yard), RUN);
  expect(await refsOf(yard)).toEqual([]);
});

test('given a commit that another run keeps, when its run lets go, then it stays for the other; a commit that is gone is named', async () => {
  await using yard = await makeYard();
  const kept = await pinned(yard, WORKER, yard.worktree, { 'a.txt': 'a\n' });
  const place = placeIn(yard);
  await pinAlsoForRun(yard.git, place, { run: OTHER, commits: [kept.commit] });

  await forgetRun(yard.git, place, RUN);

  expect(await refsOf(yard)).toEqual([]);
  expect(await refsOf(yard, OTHER)).toEqual([kept.commit]);
  const gone = 'f'.repeat(40);
  const third = pinAlsoForRun(yard.git, place, { run: OTHER, commits: [kept.commit, gone] });
  await expect(third).rejects.toThrow(`The depot has no commit ${gone}`);
});

test('given parts of two workers, when they are joined, then one commit for each stands on the base, again with the same ids', async () => {
  await using yard = await makeYard();
  const bea = await addWorker(yard, 'bea');
  const base = await pinMainForRun(yard.git, placeIn(yard), RUN);
  const one = await pinned(yard, WORKER, yard.worktree, { 'one.txt': '1\n' });
  const two = await pinned(yard, 'bea', bea, { 'two.txt': '2\n' });
  const parts = [
    { item: 'build/1', commit: one.commit },
    { item: 'build/2', commit: two.commit },
  ];
  const request = { run: RUN, base: base.commit, parts };

  const joined = await joinRun(yard.git, placeIn(yard), request);

  if (joined.kind !== 'joined') throw new Error(JSON.stringify(joined));
  const depot = depotOf(placeIn(yard));
  expect(await yard.sh(depot, 'log', '--format=%s', `${base.commit}..${joined.commit}`)).toBe(
    `the work of bea\nthe work of ${WORKER}`,
  );
  expect(await yard.sh(depot, 'diff', '--name-only', base.commit, joined.commit)).toBe('one.txt\ntwo.txt');
  expect(await refsOf(yard)).toContain(joined.commit);
  expect(await joinRun(yard.git, placeIn(yard), request)).toEqual(joined);
});

test('given parts that conflict, when they are joined, then the candidate has the others, and the conflict names item and files', async () => {
  await using yard = await makeYard();
  const [bea, cal] = [await addWorker(yard, 'bea'), await addWorker(yard, 'cal')];
  const base = await pinMainForRun(yard.git, placeIn(yard), RUN);
  const works = [
    await pinned(yard, WORKER, yard.worktree, { 'same.txt': 'mine\n' }),
    await pinned(yard, 'bea', bea, { 'same.txt': 'yours\n' }),
    await pinned(yard, 'cal', cal, { 'cal.txt': 'c\n' }),
  ];
  const parts = works.map(({ commit }, at) => ({ item: `build/${at + 1}`, commit }));

  const joined = await joinRun(yard.git, placeIn(yard), { run: RUN, base: base.commit, parts });

  expect(joined).toMatchObject({ kind: 'conflict', items: ['build/2'], files: ['same.txt'] });
  const depot = depotOf(placeIn(yard));
  const names = await yard.sh(depot, 'diff', '--name-only', base.commit, joined.commit);
  expect(names).toBe('cal.txt\nsame.txt');
});

test('given a default branch that went on, when a candidate of a run is made, then it is one commit on the newest, or a clash, or nothing', async () => {
  await using yard = await makeYard();
  const place = placeIn(yard);
  const base = await pinMainForRun(yard.git, place, RUN);
  const work = await pinned(yard, WORKER, yard.worktree, { 'w.txt': 'w\n' });
  const main = await yard.commit(yard.source, { 'main.txt': 'm\n' }, 'meanwhile');
  const request = { run: RUN, began: base.commit, commit: work.commit };

  const made = await candidateOfRun(yard.git, place, request);
  expect(made).toMatchObject({ kind: 'candidate', base: main });

  await yard.commit(yard.source, { 'w.txt': 'other\n' }, 'the same file');
  expect(await candidateOfRun(yard.git, place, request)).toMatchObject({ kind: 'clash', files: ['w.txt'] });

  await yard.commit(yard.source, { 'w.txt': 'w\n' }, 'the same change');
  expect(await candidateOfRun(yard.git, place, request)).toMatchObject({ kind: 'contained' });
});

test('given files that no commit holds, when the time of a stage is over, then they are kept as one commit on the work', async () => {
  await using yard = await makeYard();
  const head = await yard.commit(yard.worktree, { 'w.txt': 'w\n' }, 'the work');
  await writeFile(join(yard.worktree, 'half.txt'), 'half\n');
  const of = { ...inYard(yard), id: 'run-1', reason: 'stage_complete', why: '', now: NOW } as const;
  const saved = await checkpoint(yard.git, of);
  const work = { run: RUN, worker: WORKER, clone: yard.worktree, head, archive: yard.archive };

  const pinnedFiles = await pinSavedForRun(yard.git, placeIn(yard), {
    ...work,
    saved: saved.commit ?? '',
    message: 'Unfinished work',
  });

  const depot = depotOf(placeIn(yard));
  expect(await yard.sh(depot, 'log', '-1', '--format=%P|%s', pinnedFiles.commit)).toBe(`${head}|Unfinished work`);
  expect(await yard.sh(depot, 'show', `${pinnedFiles.commit}:half.txt`)).toBe('half');
  expect(await refsOf(yard)).toEqual([pinnedFiles.commit]);
});
