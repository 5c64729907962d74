/** A checkpoint of a big repository writes what changed, and no more. */
import { expect, test } from 'vitest';
import { checkpoint, restoreCheckpoint } from '../src/index.ts';
import { addWorker, inYard, NOW, makeYard, WORKER, type Yard } from './support.ts';

const FILES = 3_000;
const CHANGED = 20;

/** Objects that a repository has of its own. */
async function ownObjects({ sh }: Yard, at: string): Promise<number> {
  const text = await sh(at, 'count-objects', '-v');
  return ['count', 'in-pack'].reduce(
    (sum, name) => sum + Number(new RegExp(`^${name}: (\\d+)$`, 'mu').exec(text)?.[1]),
    0,
  );
}

test(`given ${FILES} files of which ${CHANGED} changed, when they are checkpointed and restored, then no more than those are written`, async () => {
  await using yard = await makeYard();
  const names = Array.from({ length: FILES }, (_, count) => `d${count % 200}/f${count}.txt`);
  await yard.commit(yard.source, Object.fromEntries(names.map((name) => [name, `${name}\n`])));
  await addWorker(yard, WORKER);
  await yard.sh(yard.worktree, 'reset', '-q', '--hard', 'origin/main');
  const some = (text: string) => Object.fromEntries(names.slice(0, CHANGED).map((name) => [name, text]));
  await yard.write(yard.worktree, some('work\n'));
  const request = { ...inYard(yard), now: NOW };
  const before = { place: await ownObjects(yard, yard.worktree), archive: await ownObjects(yard, yard.archive) };

  const { commit, dirty } = await checkpoint(yard.git, { ...request, id: 'c1', reason: 'periodic', why: '' });
  // A file and a directory for each that changed, at most, the root, and two commits.
  const most = 2 * CHANGED + 3;
  expect((await ownObjects(yard, yard.worktree)) - before.place).toBeLessThanOrEqual(most);
  expect((await ownObjects(yard, yard.archive)) - before.archive).toBeLessThanOrEqual(most);

  await yard.write(yard.worktree, some('damage\n'));
  await restoreCheckpoint(yard.git, { ...request, commit, saveAs: 'after' });

  expect(dirty).toBe(CHANGED);
  expect(await yard.read(yard.worktree, names[0] ?? '')).toBe('work\n');
  expect(await yard.read(yard.worktree, names.at(-1) ?? '')).toBe(`${names.at(-1)}\n`);
});
