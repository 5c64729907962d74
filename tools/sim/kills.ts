// Kills agents and coordinators at each step of accepts, trains, moves and runs, in schedules that are calm but for that.
import { SeededRandom } from '@drover/testkit';
import type { Kill, KillPoint, Way } from './faults/killer.ts';
import { scenarioOf } from './faults/luck.ts';
import { runSchedule } from './schedule.ts';

/** The commands and queries of each way, in its order. */
export const STEPS: Readonly<Record<Way, readonly string[]>> = {
  accept: ['candidate', 'validate', 'publish', 'prove', 'close', 'recycle'],
  train: ['extend', 'validate', 'publish', 'prove', 'close', 'recycle'],
  move: [
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
  ],
  run: ['run-base', 'prepare', 'open', 'deliver', 'run-pin', 'run-join', 'run-check', 'run-land', 'run-bring'],
};

/** Steps of a run that a coordinator does alone: events that it decides about, and requests that it carries out. */
export const DECISIONS: readonly string[] = [
  'hears requested',
  'hears placed',
  'hears not-placed',
  'hears task-ended',
  'hears pinned',
  'hears joined',
  'hears conflict',
  'hears checked',
  'hears answered',
  'hears reviewed',
  'hears accepted',
  'hears released',
  'hears person-acted',
  'hears deadline',
  'carries out start',
  'carries out send',
  'carries out tell',
  'carries out release',
  'carries out pin',
  'carries out join',
  'carries out check',
  'carries out accept',
];

/** Victims and points of the kills. A coordinator takes results, and no agent does. */
const PLACES: readonly { readonly who: Kill['who']; readonly point: KillPoint }[] = [
  { who: 'agent', point: 'started' },
  { who: 'coordinator', point: 'started' },
  { who: 'agent', point: 'acted' },
  { who: 'coordinator', point: 'acted' },
  { who: 'agent', point: 'recorded' },
  { who: 'coordinator', point: 'recorded' },
  { who: 'coordinator', point: 'taking' },
  { who: 'coordinator', point: 'deciding' },
  { who: 'coordinator', point: 'decided' },
];

/** Step with its victim. */
export type KilledAt = Omit<Kill, 'done'>;

/** Every case: 33 steps of machines, nine places in each, and those of coordinators, before and after the commit. */
export const KILLS: readonly KilledAt[] = [
  ...(['accept', 'train', 'move', 'run'] as const).flatMap((way) =>
    STEPS[way].flatMap((kind) => PLACES.map((place) => ({ way, kind, ...place }))),
  ),
  ...DECISIONS.flatMap((kind) =>
    (['deciding', 'decided'] as const).map((point) => ({ way: 'run', kind, who: 'coordinator', point }) as const),
  ),
];

/** Kills in one schedule, at most: those that are started again are killed again. */
const EACH_MAX = 4;
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
    const seed = calmSeed(random, at);
    const before = count.hits;
    const done = (): boolean => {
      count.hits += 1;
      return count.hits - before >= EACH_MAX;
    };
    const { violation } = await runSchedule(seed, { keepLines: false, lies: false, kill: { ...at, done } });
    if (violation !== null)
      broken.push(`${at.way}: ${at.who} killed at "${at.point}" of ${at.kind}, seed ${seed}: ${violation}`);
  }
  return { hits: count.hits, broken };
}

/** Finds a seed in which nothing goes wrong by itself, and in which there are several machines if workers move or commits are carried. */
function calmSeed(random: SeededRandom, { way, kind }: KilledAt): number {
  for (;;) {
    const seed = 10 * random.int(1, 100_000);
    const needsSeveral = way === 'move' || kind === 'run-bring';
    if (!needsSeveral || scenarioOf(seed).machines > 1) return seed;
  }
}
