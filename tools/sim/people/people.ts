// Holds the parts that people of a schedule share: who they are, how they name a worker, and how they ask coordinators.
import type { Actor, Fleet } from '@drover/api';
import type { WorkerRow } from '@drover/store';
import type { MemoryDatabase } from '@drover/store/testing';
import type { SeededRandom, VirtualTime } from '@drover/testkit';
import type { Replica } from '../coordinator/replica.ts';
import type { Tally } from '../runs/tally.ts';

export interface PeopleParts {
  readonly seed: number;
  readonly time: VirtualTime;
  readonly tally: Tally;
  readonly database: MemoryDatabase;
  readonly replicas: readonly Replica[];
  /** Tells whether people do nothing any more. */
  readonly isAway: () => boolean;
}

/** All of them at once: what they do is what matters here. */
export const PERSON: Actor = {
  kind: 'person',
  id: '01900000-0000-7000-8000-00000000abcd',
  name: 'somebody',
  role: 'admin',
  project: null,
  worker: null,
};

/** `project/name`: two projects may have a worker of the same name. */
export function refOf(
  { projects }: MemoryDatabase,
  { projectId, name }: Pick<WorkerRow, 'projectId' | 'name'>,
): string {
  return `${projects.get(projectId)?.name ?? ''}/${name}`;
}

/** Acts now and then, between these milliseconds, until people go away. */
export async function untilAway(
  { time, isAway }: PeopleParts,
  nextMs: () => number,
  act: () => unknown,
): Promise<void> {
  while (!isAway()) {
    await time.sleep(nextMs());
    if (!isAway()) await act();
  }
}

type Ask = (fleet: Fleet) => Promise<{ readonly kind: string }>;

/** Asks one replica. @returns the kind of its answer; null: none came. */
export async function askOnce(
  { replicas, tally }: Pick<PeopleParts, 'replicas' | 'tally'>,
  { random, what }: { readonly random: SeededRandom; readonly what: string },
  run: Ask,
): Promise<string | null> {
  try {
    const { kind } = await random.pick(replicas).serve(({ fleet }) => run(fleet));
    tally.log(`${what}: ${kind}`);
    return kind;
  } catch (error) {
    tally.log(`${what}: ${String(error)}`);
    return null;
  }
}

/** A person tries so often while replicas are down, or a gateway has not told yet; a second lies between two tries. */
const TRIES = 1_200;

/** Asks one replica after the other until the answer is yes. @returns whether it came. */
export async function insist(
  { replicas, tally, time }: Pick<PeopleParts, 'replicas' | 'tally' | 'time'>,
  what: string,
  ask: Ask,
): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      const outcome = await replicas[tries % replicas.length]?.serve(({ fleet }) => ask(fleet));
      tally.log(`PERSON ${what}: ${outcome?.kind ?? ''}`);
      if (outcome?.kind === 'ok') return true;
    } catch (error) {
      tally.log(`PERSON ${what}: ${String(error)}`);
    }
    await time.sleep(1_000);
  }
  return false;
}
