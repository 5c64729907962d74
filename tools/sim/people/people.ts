// Holds the parts that people of a schedule share: who they are, how they name a worker, and how they ask coordinators.
import type { Actor, Fleet, Outcome } from '@drover/api';
import type { WorkerRow } from '@drover/store';
import type { MemoryDatabase } from '@drover/store/testing';
import type { SeededRandom } from '@drover/testkit';
import type { Replica } from '../coordinator/replica.ts';
import type { Scene } from '../scene.ts';

export interface PeopleParts extends Pick<Scene, 'seed' | 'time' | 'tally' | 'database' | 'replicas'> {
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

/** Request to a fleet; it may be sent several times, always under the same id. */
export type Asked = (fleet: Fleet, requestId: string) => Promise<Outcome<unknown> | readonly unknown[]>;

/** Asks again and again under one id, up to so many times, until an answer comes. @returns whether it was accepted, as far as the person knows. */
export async function request(
  { replicas, tally, time }: Pick<PeopleParts, 'replicas' | 'tally' | 'time'>,
  { random, requestId, what, tries }: { random: SeededRandom; requestId: string; what: string; tries: number },
  ask: Asked,
): Promise<boolean> {
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    try {
      const outcome = await random.pick(replicas).serve(({ fleet }) => ask(fleet, requestId));
      // An answer that gets lost: the same request comes again.
      if (random.chance(0.03)) throw new Error('the answer got lost');
      const refused = 'kind' in outcome && outcome.kind === 'refused' ? `${outcome.code} ${outcome.message}` : null;
      tally.log(`${what}: ${refused ?? 'ok'}`);
      return refused === null;
    } catch (error) {
      tally.log(`${what}: ${String(error)}`);
      await time.sleep(random.int(500, 4_000));
    }
  }
  return false;
}

/** Asks one of the replicas. @returns null when it dies before it answers. */
export async function askAny<T>(
  replicas: readonly Replica[],
  random: SeededRandom,
  run: (serving: Parameters<Parameters<Replica['serve']>[0]>[0]) => Promise<T>,
): Promise<T | null> {
  return random
    .pick(replicas)
    .serve(run)
    .catch(() => null);
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
