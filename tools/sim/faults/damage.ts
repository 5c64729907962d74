// Damages a worker's row, and has a person repair it with `drover doctor --repair`.
import { isAccepting } from '@drover/core';
import type { WorkerRow } from '@drover/store';
import type { SimGit } from '@drover/testkit';
import type { Scene } from '../scene.ts';
import { PERSON } from '../people/people.ts';

/** Parts that a disaster can reach. */
export interface DisasterParts extends Pick<
  Scene,
  'time' | 'random' | 'luck' | 'tally' | 'network' | 'replicas' | 'machines'
> {
  readonly origins: readonly SimGit[];
  /** Milliseconds between the database's clock and the true time. */
  readonly databaseClock: { offMs: number };
}

/** A doctor is asked so often at most: its machine may be away for long. */
const ASKED_MAX = 60;

/** Milliseconds that a damaged time lies in the future: further than clocks differ. */
const AHEAD_MS = 3_600_000;

/** Damages a row, as a database that was repaired by hand would be, and has the doctor look at everything later. */
export async function damageRow(parts: DisasterParts): Promise<void> {
  const { time, random, tally, replicas, machines } = parts;
  const sleep = (ms: number): Promise<void> => time.sleep(ms);
  const store = random.pick(replicas).parts.open({ sleep, random: random.next });
  const rows = await store.listWorkers();
  const reviewed = rows.filter(
    ({ state }) => state.lifecycle.status === 'needs_review' && !isAccepting(state.merge.step),
  );
  const row = reviewed.length > 0 ? random.pick(reviewed) : rows.length > 0 ? random.pick(rows) : null;
  if (row !== null) {
    await store.transaction(async (tx) => {
      const locked = await tx.lockWorker(row.id);
      if (locked === null) return;
      const damaged = damagedRow(locked, time.now() + AHEAD_MS);
      tally.fault(
        'row-damaged',
        `${row.name} ${damaged.state.worktree.git === null ? 'has no commit' : 'is of the future'}`,
      );
      await tx.saveWorker(damaged, time.now());
      // A person who cleans up by hand cleans up more than that.
      if (damaged.state.worktree.git === null && random.chance(0.4))
        for (const machine of machines) machine.parts.clones.of(row.projectId).loseWorktree(row.id);
    });
  }
  store.close();
  await untilWell(parts);
}

/** Work under review without its commit; any other is said to be of the future. */
function damagedRow(row: WorkerRow, future: number): WorkerRow {
  const { state } = row;
  if (state.lifecycle.status === 'needs_review' && !isAccepting(state.merge.step))
    return { ...row, state: { ...state, worktree: { ...state.worktree, git: null } } };
  const progress = { ...state.turn.progress, at: future };
  return { ...row, state: { ...state, turn: { ...state.turn, progress } } };
}

async function untilWell({ time, random, tally, replicas }: DisasterParts): Promise<void> {
  for (let asked = 0; asked < ASKED_MAX; asked += 1) {
    await time.sleep(random.int(100, 2_000));
    try {
      const isWell = await random.pick(replicas).serve(async ({ fleet }) => {
        const { repairs } = await fleet.diagnose(PERSON);
        for (const { key, says } of await fleet.repair({ keys: repairs.map(({ key: one }) => one) }, PERSON))
          tally.log(`PERSON drover doctor --repair ${key}: ${says}`);
        return repairs.length === 0;
      });
      if (isWell) return;
    } catch (error) {
      tally.log(`PERSON drover doctor: ${String(error)}`);
    }
  }
}
