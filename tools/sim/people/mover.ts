// Simulates a person who moves workers between machines, and sometimes thinks better of it. Draws from a chance of its own: all else comes
// as without.
import { SeededRandom, VirtualIds } from '@drover/testkit';
import { PERSON, refOf, untilAway, type PeopleParts } from './people.ts';

/** Schedules with several machines per schedule in which workers move. */
const MOVES_EVERY = 2;
/** Milliseconds between two moves, at most. */
const PACE_MS = 12_000;

/** Tells whether workers move in this schedule. */
export function hasMoves(seed: number, machines: number): boolean {
  return machines > 1 && seed % MOVES_EVERY === 1;
}

/** Moves workers until people go away. */
export async function moveWorkers(parts: PeopleParts): Promise<void> {
  const random = new SeededRandom(parts.seed * 86_028_121 + 7);
  const ids = new VirtualIds(parts.time.now, 0xace);
  await untilAway(
    parts,
    () => random.int(1_000, PACE_MS),
    () => void moveOne(parts, { random, ids }),
  );
}

async function moveOne(
  { database, replicas, tally }: PeopleParts,
  { random, ids }: { random: SeededRandom; ids: VirtualIds },
): Promise<void> {
  const rows = [...database.workers.values()];
  if (rows.length === 0) return;
  const row = random.pick(rows);
  const name = refOf(database, row);
  const requestId = ids.uuid();
  const replica = random.pick(replicas);
  try {
    if (row.state.move.kind !== 'none' && random.chance(0.5)) {
      await replica.serve(({ fleet }) => fleet.cancelMove({ requestId, name }, PERSON));
      return;
    }
    const machine = random.pick([...database.machines.values()].filter(({ isGateway }) => !isGateway)).name;
    const outcome = await replica.serve(({ fleet }) =>
      fleet.moveWorker({ requestId, name, machine, dryRun: random.chance(0.1) }, PERSON),
    );
    tally.log(`PERSON moves ${name} to ${machine}: ${outcome.kind === 'refused' ? outcome.code : 'ok'}`);
  } catch (error) {
    tally.log(`PERSON moves ${name}: ${String(error)}`);
  }
}
