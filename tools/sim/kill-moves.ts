// Kills agents and coordinators at each step of moves, in schedules that are calm but for that.
import { SeededRandom } from '@drover/testkit';
import { scenarioOf } from './faults/luck.ts';
import { runSchedule } from './schedule.ts';
import type { Kill } from './schedule.ts';

/** The commands and queries of a move, in its order. */
export const MOVE_STEPS = [
  'close',
  'freeze',
  'expect',
  'tips',
  'pack',
  'unpack',
  'pack-conversation',
  'place-conversation',
  'restore',
  'let-in',
  'open',
  'leave-place',
] as const;

/** Where in a step: before it is done, after it, and after that was written down. */
const POINTS = ['started', 'acted', 'recorded'] as const;
const VICTIMS = ['agent', 'coordinator'] as const;

/** One step with one victim. */
export type KilledAt = Pick<Kill, 'who' | 'point' | 'kind'>;

/** Every case: 12 steps, 3 points, 2 victims. */
export const KILLS: readonly KilledAt[] = MOVE_STEPS.flatMap((kind) =>
  POINTS.flatMap((point) => VICTIMS.map((who) => ({ kind, point, who }))),
);

/** Kills in one schedule, at most: those that are started again are killed again. */
const EACH_MAX = 2;
/** Schedules for one case, at most. */
const SCHEDULES_MAX = 400;

/** Plays schedules until the case came up `times`. @returns how often it did, and what broke. */
export async function killAt(
  at: KilledAt,
  { times, salt }: { readonly times: number; readonly salt: number },
): Promise<{ readonly hits: number; readonly broken: readonly string[] }> {
  const random = new SeededRandom(salt);
  const broken: string[] = [];
  const count = { hits: 0 };
  for (let played = 0; count.hits < times && played < SCHEDULES_MAX; played += 1) {
    const seed = calmSeed(random);
    const before = count.hits;
    const done = (): boolean => {
      count.hits += 1;
      return count.hits - before >= EACH_MAX;
    };
    const { violation } = await runSchedule(seed, { keepLines: false, lies: false, kill: { ...at, done } });
    if (violation !== null) broken.push(`${at.who} killed at "${at.point}" of ${at.kind}, seed ${seed}: ${violation}`);
  }
  return { hits: count.hits, broken };
}

/** Nothing goes wrong in it by itself, and there are several machines. */
function calmSeed(random: SeededRandom): number {
  for (;;) {
    const seed = 10 * random.int(1, 100_000);
    if (scenarioOf(seed).machines > 1) return seed;
  }
}
