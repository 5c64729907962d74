/** Plays histories for properties: from a seed and a length, with the policy and the watch as arguments. */
import fc from 'fast-check';
import type { Elsewhere, Queue } from '../decision/facts.ts';
import type { Decision, WholeContext } from '../decision/step.ts';
import { UTC } from '../limits/calendar.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import type { Policy } from '../policy/policy.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { newWorker } from '../worker/worker.ts';
import type { Worker } from '../worker/worker.ts';
import { diceFrom } from './dice.ts';
import type { Dice } from './dice.ts';
import { likelyEvent, wildEvent } from './events.ts';
import { moodFrom } from './mood.ts';
import type { Mood } from './mood.ts';

/** The policy itself, or one with a fault planted into it. */
export type Decide = (worker: Worker, event: WorkerEvent, ctx: WholeContext) => Decision;

/** A decision of a history. */
export interface Moment {
  readonly before: Worker;
  readonly event: WorkerEvent;
  readonly ctx: WholeContext;
  readonly decision: Decision;
  /** The last events before this one, oldest first. */
  readonly heard: readonly WorkerEvent[];
  readonly dice: Dice;
  readonly decide: Decide;
}

/** Looks at each decision in turn. @returns the broken rule, in words, or null. */
export type Watch = (moment: Moment) => string | null;

/** A history in brief; everything in it is drawn from the seed. */
export interface History {
  readonly seed: number;
  /** Events. */
  readonly length: number;
}

/** Events of the longest history: enough for ten attempts of a task and then some. */
const EVENTS_MAX = 120;
/** Events of the shortest: fewer reach no budget. */
const EVENTS_MIN = 40;

/** Histories for a property. Each history draws its events inside, which is a hundred times faster than as an array. */
export const someHistory: fc.Arbitrary<History> = fc.record({
  seed: fc.integer(),
  length: fc.integer({ min: EVENTS_MIN, max: EVENTS_MAX }),
});

/** Earlier events that may come again. */
const HEARD_MAX = 12;

/** Policy that answers dialogs, knows another profile, and has budgets that are soon spent, so that these branches are walked too. */
const BOLD: Policy = {
  ...DEFAULT_POLICY,
  incident: { ...DEFAULT_POLICY.incident, maxAttemptsPerError: 1, maxTotalAttempts: 4 },
  substitutes: [{ profile: 'sim', by: ['other'] }],
  dialogs: { ...DEFAULT_POLICY.dialogs, permission: 'allow', other: 'deny' },
};

/**
 * Plays a history: mostly a real machine's answers, sometimes anything, repeated, late or out of order.
 *
 * @throws {Error} with the watch's report, and the events that led to it.
 */
export function play(decide: Decide, watch: Watch, { seed, length }: History): void {
  const dice = diceFrom(seed);
  const mood = moodFrom(dice);
  const policy = dice.chance(0.5) ? DEFAULT_POLICY : BOLD;
  const heard: WorkerEvent[] = [];
  const told: { at: number; event: WorkerEvent }[] = [];
  let worker = newWorker();
  let now = 1_000_000;
  let here = 'm1';
  for (let index = 0; index < length; index += 1) {
    now += 1 + Math.floor(dice.next() ** 3 * 20_000);
    const event = nextEvent({ worker, now, dice, mood }, heard);
    now = Math.max(now, dueTime(worker, event, mood));
    const ctx = contextAt(now, dice, { policy, here });
    told.push({ at: now, event });
    const decision = decide(worker, event, ctx);
    const broken = watch({ before: worker, event, ctx, decision, heard, dice, decide });
    if (broken !== null) throw new Error(`${broken}\nseed ${seed}, event ${index}; the last events:\n${retold(told)}`);
    heard.push(event);
    if (heard.length > HEARD_MAX) heard.shift();
    worker = decision.worker;
    here = machineAfter(here, event, decision);
    if (decision.records.some(({ kind }) => kind === 'gone')) return;
  }
}

function retold(told: readonly { at: number; event: WorkerEvent }[]): string {
  const lines = told.slice(-HEARD_MAX).map(({ at, event }) => `${at - 1_000_000} ms ${JSON.stringify(event)}`);
  return lines.join('\n');
}

function nextEvent(
  scene: { worker: Worker; now: number; dice: Dice; mood: Mood },
  heard: readonly WorkerEvent[],
): WorkerEvent {
  const { dice, mood } = scene;
  const again = dice.chance(mood.again) ? heard[Math.floor(dice.next() * heard.length)] : undefined;
  if (again !== undefined && mayComeAgain(again)) return again;
  return dice.chance(mood.wild) ? wildEvent(scene) : likelyEvent(scene);
}

/** Tells whether `decide` itself must stand a repetition. Events that its caller keeps away from it are not repeated here. */
function mayComeAgain(event: WorkerEvent): boolean {
  switch (event.kind) {
    // A person's words have an id: the caller recognizes them when they come again.
    case 'message-requested':
    case 'reject-requested':
      return false;
    // A list reports the present panes: the machine's observations are numbered and taken once and in order, and a list that a command or an exit has
    // overtaken is asked for again. So no list names an incarnation that was closed before.
    case 'panes-listed':
      return event.pane === null;
    default:
      return true;
  }
}

/** Returns the time of a timer, which mostly rings when it is due; if much comes again, it may also ring too soon. */
function dueTime({ deadlines }: Worker, event: WorkerEvent, { again }: Mood): number {
  return event.kind === 'deadline-expired' && again < 0.1 ? (deadlines[event.name] ?? 0) : 0;
}

/** Returns the machine that the row is of. A person may name another one as the former: the test believes it. */
function machineAfter(here: string, event: WorkerEvent, { reply, records }: Decision): string {
  const changed = records.findLast((entry) => entry.kind === 'machine-changed');
  if (changed?.kind === 'machine-changed') return changed.to;
  return event.kind === 'move-requested' && reply.kind === 'accepted' ? event.route.from.id : here;
}

function contextAt(
  now: number,
  dice: Dice,
  { policy, here }: { readonly policy: Policy; readonly here: string },
): WholeContext {
  return {
    now,
    fresh: `fresh-${now}`,
    policy,
    merge: {
      lease: dice.chance(0.8) ? 'free' : 'other',
      queue: dice.chance(0.3) ? queueOf(dice) : undefined,
      isAboard: dice.chance(0.9) ? undefined : false,
    },
    machineConnected: dice.chance(0.9),
    random: dice.next(),
    zone: UTC,
    profile: 'sim',
    trust: {},
    ways: {
      othersIdle: dice.chance(0.2) ? 1 : 0,
      elsewhere: dice.chance(0.2) ? elsewhereFrom(here) : undefined,
    },
  };
}

/** Returns two machines that would take the worker. */
function elsewhereFrom(here: string): Elsewhere {
  const others = ['m1', 'm2', 'm3', 'm4'].filter((id) => id !== here).slice(0, 2);
  return { here: { id: here, name: here }, others: others.map((id) => ({ id, name: id })) };
}

/** Draws other workers that were accepted too. */
function queueOf(dice: Dice): Queue {
  const members = ['b', 'c', 'd'].slice(0, 1 + Math.floor(dice.next() * 3)).map((name) => ({
    id: name,
    name,
    pin: { head: `head of ${name}`, tree: null },
  }));
  return { me: { id: 'a', name: 'a' }, first: dice.chance(0.1) ? 'z' : null, members };
}
