// Runs one worker of the soak: one task after the other, each to its end, with a person who accepts or ends it.
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerView } from '@drover/api';
import { isRefusal, type Fleet } from '../../fleet/fleet.ts';
import type { RunningDrover } from '../../fleet/drover.ts';
import type { Site } from '../../fleet/site.ts';
import { count, wordsOf, type Counts, type Ended } from './count.ts';

/** A task counts as lost when it has neither reached review nor been reported after so many milliseconds. */
const LOST_AFTER_MS = 20 * 60_000;
const POLL_EVERY_MS = 1_000;
/** Longest time that the agent works on a task, in milliseconds: mishaps shall also meet turns that last. */
const WORK_MAX_MS = 8_000;

/** Tasks that are given until a moment, and their ends. */
export class Shift {
  readonly fleet: Fleet;
  /** Fires when no new task shall begin. */
  readonly ending: AbortSignal;
  /** Milliseconds between two tasks of a worker. */
  readonly restMs: number;
  readonly ended: Ended[] = [];
  given = 0;
  readonly #site: Site;

  constructor({ fleet, site }: RunningDrover, ending: AbortSignal, restMs = 0) {
    this.fleet = fleet;
    this.ending = ending;
    this.restMs = restMs;
    this.#site = site;
  }

  /** Tells whether the commit of a task is in the default branch. */
  isMerged(task: number): boolean {
    return this.#subjects('--fixed-strings', `--grep=${wordsOf(task)}`).includes(wordsOf(task));
  }

  counts(): Counts {
    return count(this.given, this.ended, { witness: this.#site.witnessed(), subjects: this.#subjects() });
  }

  #subjects(...some: readonly string[]): readonly string[] {
    return this.#site.git(this.#site.source, 'log', '--format=%s', ...some, 'main').split('\n');
  }
}

/** Works until the end of the shift. */
export async function work(shift: Shift, worker: string): Promise<void> {
  await shift.fleet.add(worker);
  await shift.fleet.reach([worker], { status: 'idle', never: ['error'], withinMs: LOST_AFTER_MS });
  while (!shift.ending.aborted) {
    const task = (shift.given += 1);
    const end = await carryOut(shift, worker, task).catch((error: unknown): End => ({
      kind: 'lost',
      why: String(error),
    }));
    shift.ended.push({ task, ...end });
    await delay(shift.restMs, undefined, { signal: shift.ending }).catch(() => {});
  }
}

type End = Pick<Ended, 'kind' | 'why'>;

async function carryOut(shift: Shift, worker: string, task: number): Promise<End> {
  const { fleet } = shift;
  const words = wordsOf(task);
  const prompt = [
    `Do ${words}.`,
    `WRITE work/${task}.txt ${words}`,
    `SLOW ${randomInt(WORK_MAX_MS)}`,
    `COMMIT ${words}`,
  ];
  try {
    await fleet.start(worker, prompt.join('\n'));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // A question that is open may be why, or a review that a lost task has left.
    await delay(POLL_EVERY_MS);
    const view = await viewOf(fleet, worker);
    if (view.status === 'needs_review') await tolerant(fleet.accept(worker));
    await endByPerson(shift, view);
    return { kind: 'refused', why: String(error) };
  }
  return follow(shift, worker, task);
}

/** Follows a task to its end. */
async function follow(shift: Shift, worker: string, task: number): Promise<End> {
  const { fleet } = shift;
  const began = Date.now();
  let asked: string | null = null;
  for (;;) {
    const view = await viewOf(fleet, worker);
    const { status, note } = view;
    if (status === 'idle') {
      if (shift.isMerged(task)) return { kind: 'done', why: '' };
      return asked === null ? { kind: 'lost', why: `the worker is idle: ${note}` } : { kind: 'told', why: asked };
    }
    if (status === 'needs_review') await tolerant(fleet.accept(worker));
    asked = (await endByPerson(shift, view)) ?? asked;
    if (Date.now() - began > LOST_AFTER_MS) return { kind: 'lost', why: `it is ${status}: ${note}` };
    await delay(POLL_EVERY_MS);
  }
}

/** Ends the task, if there is a question that can be answered so. @returns the question's title; null: there was none. */
async function endByPerson({ fleet }: Shift, { name, status, note }: WorkerView): Promise<string | null> {
  if (status !== 'needs_input' && status !== 'error') return null;
  const [question] = await fleet.questions(name);
  if (question === undefined || !question.question.options.some(({ id }) => id === 'skip')) return null;
  await tolerant(fleet.answer(question, 'skip'));
  return `${question.title} (${note})`;
}

async function viewOf(fleet: Fleet, name: string): Promise<WorkerView> {
  const worker = await fleet.worker(name);
  if (worker === undefined) throw new Error(`There is no worker ${name}`);
  return worker;
}

/** A refusal is an answer, too: another request was faster, or the state has changed. */
async function tolerant(request: Promise<void>): Promise<void> {
  await request.catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
  });
}
