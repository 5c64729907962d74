/** Tests what holds for every kind of target, whatever carries commits there. */
import { describe, expect, test } from 'vitest';
import { type DepotPlace, type Git, depotOf, makeCandidate, prove, publish } from '../../src/index.ts';
import { WORKER, type Yard } from '../support.ts';
import { workAt } from './support.ts';

/** Target with one commit, and a yard whose worker is based on it. */
export interface TargetYard extends AsyncDisposable {
  readonly yard: Yard;
  readonly place: DepotPlace;
  /** The commit of the target's main. */
  main(): Promise<string>;
  /** Brings a commit of somebody else into main. Returns it. */
  advance(files: Record<string, string | undefined>): Promise<string>;
  /** Makes the git of the next publication die right before main would move. */
  dyingBeforeMove(git: Git): Git;
  /** Makes its answer get lost right after main has moved. */
  dyingAfterMove(git: Git): Git;
}

/** Runs the cases on one kind of target. */
export function describeTarget(name: string, make: () => Promise<TargetYard>): void {
  describe(`a target of the kind "${name}"`, () => {
    test('given a candidate, when it is published, then main is at it, and proven to hold it', async () => {
      await using target = await make();
      const made = await candidateOf(target, { 'w.txt': 'w\n' });
      expect((await prove(target.yard.git, target.place, made.commit)).kind).toBe('not-merged');

      expect((await publish(target.yard.git, target.place, made)).kind).toBe('published');

      expect(await target.main()).toBe(made.commit);
      const proof = await prove(target.yard.git, target.place, made.commit);
      expect(proof).toEqual({ kind: 'merged', commit: made.commit, tip: made.commit });
    });

    test('given a published candidate, when it is published again, also after others went on, then nothing moves', async () => {
      await using target = await make();
      const made = await candidateOf(target, { 'w.txt': 'w\n' });
      await publish(target.yard.git, target.place, made);
      expect((await publish(target.yard.git, target.place, made)).kind).toBe('published');
      const later = await target.advance({ 'later.txt': 'l\n' });

      expect((await publish(target.yard.git, target.place, made)).kind).toBe('published');

      expect(await target.main()).toBe(later);
      expect((await prove(target.yard.git, target.place, made.commit)).kind).toBe('merged');
    });

    test('given a main that others moved, when a candidate on the old one is published, then that is told and main stays', async () => {
      await using target = await make();
      const made = await candidateOf(target, { 'w.txt': 'w\n' });
      const moved = await target.advance({ 'theirs.txt': 't\n' });

      expect(await publish(target.yard.git, target.place, made)).toEqual({ kind: 'moved', now: moved });

      expect(await target.main()).toBe(moved);
      const again = await candidateOf(target, { 'w.txt': 'w\n' });
      expect(again.base).toBe(moved);
      expect((await publish(target.yard.git, target.place, again)).kind).toBe('published');
    });

    test('given two machines with candidates on one main, when both publish, then one wins and the other is told', async () => {
      await using target = await make();
      const made = await candidateOf(target, { 'w.txt': 'w\n' });
      const elsewhere = { ...target.place, directory: `${target.yard.dir}/elsewhere` };
      const other = await candidateOf({ ...target, place: elsewhere }, { 'w.txt': 'other\n' });

      expect((await publish(target.yard.git, elsewhere, other)).kind).toBe('published');

      expect(await publish(target.yard.git, target.place, made)).toEqual({ kind: 'moved', now: other.commit });
    });

    test('given a death right before main moves, when the candidate is published again, then it is in main', async () => {
      await using target = await make();
      const made = await candidateOf(target, { 'w.txt': 'w\n' });
      const { git } = target.yard;
      await expect(publish(target.dyingBeforeMove(git), target.place, made)).rejects.toThrow('killed');
      expect(await target.main()).toBe(made.base);

      expect((await publish(git, target.place, made)).kind).toBe('published');

      expect(await target.main()).toBe(made.commit);
    });

    test('given an answer that is lost after main has moved, when the candidate is published again, then it counts as published', async () => {
      await using target = await make();
      const made = await candidateOf(target, { 'w.txt': 'w\n' });
      const { git } = target.yard;
      await expect(publish(target.dyingAfterMove(git), target.place, made)).rejects.toThrow('killed');
      expect(await target.main()).toBe(made.commit);

      expect((await publish(git, target.place, made)).kind).toBe('published');
    });

    test('given a commit that does not stand on its base, when it is published, then it is refused and main stays', async () => {
      await using target = await make();
      const made = await candidateOf(target, { 'w.txt': 'w\n' });
      const depot = depotOf(target.place);
      const orphan = await target.yard.sh(depot, 'commit-tree', `${made.commit}^{tree}`, '-m', 'orphan');

      const refused = publish(target.yard.git, target.place, { ...made, commit: orphan });

      await expect(refused).rejects.toMatchObject({ code: 'not-a-descendant' });
      expect(await target.main()).toBe(made.base);
    });
  });
}

async function candidateOf(
  { yard, place }: Pick<TargetYard, 'yard' | 'place'>,
  files: Record<string, string | undefined>,
): Promise<{ worker: string; base: string; commit: string }> {
  const head = await yard.commit(yard.worktree, files, 'the work');
  const made = await makeCandidate(yard.git, place, workAt(yard, head));
  if (made.kind !== 'candidate') throw new Error(made.kind);
  return { worker: WORKER, base: made.base, commit: made.commit };
}
