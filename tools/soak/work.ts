// What does one worker of the soak do? One task after the other, each to its end, with a person who accepts or ends it.
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Refused, type Api } from './api.ts';
import { wordsOf, type Given, type LedgerLine } from './count.ts';

/** Milliseconds after which a task that neither came to review nor was told of counts as lost. */
const LOST_AFTER_MS = 20 * 60_000;
const LOOK_EVERY_MS = 1_000;
/** Longest time that the agent works on a task, in milliseconds: chaos shall also meet turns that last. */
const WORK_MAX_MS = 8_000;

/** What all workers share. */
export interface Shift {
  readonly api: Api;
  /** Fires when no new task shall begin. */
  readonly ending: AbortSignal;
  readonly nextTask: () => number;
  readonly write: (line: LedgerLine) => void;
}

/** Works until the end of the shift. @param open The task that an earlier run left. */
export async function work(shift: Shift, worker: string, open: Given | undefined): Promise<void> {
  await seat(shift, worker);
  if (open !== undefined) await carryOut(shift, open);
  while (!shift.ending.aborted) {
    const task = {
      kind: 'given',
      task: shift.nextTask(),
      worker,
      orderId: randomUUID(),
      workMs: randomInt(WORK_MAX_MS),
    } as const;
    shift.write(task);
    await carryOut(shift, task);
  }
}

async function seat({ api }: Shift, name: string): Promise<void> {
  const workers = await api.workers();
  if (!workers.some((worker) => worker.name === name)) await api.order('add', { name });
  await statusOf(api, name, ({ status }) => status !== 'offline');
}

async function carryOut(shift: Shift, given: Given): Promise<void> {
  const { api, write } = shift;
  const { task, worker, orderId } = given;
  const began = Date.now();
  try {
    await api.order('start', { orderId, name: worker, prompt: promptOf(given) });
  } catch (error) {
    // It is at this task already: an earlier run gave it.
    if (!(error instanceof Refused)) throw error;
  }
  const why = await outcome(shift, given, began);
  write(why === null ? { kind: 'done', task, tookMs: Date.now() - began } : why);
}

function promptOf({ task, workMs }: Given): string {
  const words = wordsOf(task);
  return [`Do ${words}.`, `WRITE work/${task}.txt ${words}`, `SLOW ${workMs}`, `COMMIT ${words}`].join('\n');
}

/** Follows a task to its end. @returns null when it is merged. */
async function outcome({ api }: Shift, { task, worker }: Given, began: number): Promise<LedgerLine | null> {
  let accepted = false;
  for (;;) {
    const { status, note } = await statusOf(api, worker, () => true);
    if (status === 'idle') return accepted ? null : { kind: 'lost', task, why: `the worker is idle: ${note}` };
    if (status === 'needs_review') {
      accepted = true;
      await tolerant(api.order('accept', { name: worker }));
    }
    if (status === 'needs_input' || status === 'error') {
      const told = await ended(api, worker, note);
      if (told !== null) return { kind: 'told', task, why: told };
    }
    if (Date.now() - began > LOST_AFTER_MS) return { kind: 'lost', task, why: `it is ${status}: ${note}` };
    await delay(LOOK_EVERY_MS);
  }
}

/** A person was asked: the task is ended, and the worker free. @returns null when the question is not there (yet). */
async function ended(api: Api, worker: string, note: string): Promise<string | null> {
  const [question] = await api.questions(worker);
  if (question === undefined || !question.question.options.some(({ id }) => id === 'skip')) return null;
  await tolerant(api.resolve(question.shortId, 'skip'));
  const after = await statusOf(api, worker, ({ status }) => status !== 'needs_input' && status !== 'error');
  return after.status === 'idle' ? `${question.title} (${note})` : null;
}

async function statusOf(
  api: Api,
  name: string,
  is: (worker: { readonly status: string; readonly note: string }) => boolean,
): Promise<{ readonly status: string; readonly note: string }> {
  const end = Date.now() + LOST_AFTER_MS;
  for (;;) {
    const worker = (await api.workers()).find((each) => each.name === name);
    if (worker !== undefined && (is(worker) || Date.now() > end)) return worker;
    await delay(LOOK_EVERY_MS);
  }
}

/** A refusal is an answer: somebody else was faster, or the state is another one by now. */
async function tolerant(order: Promise<void>): Promise<void> {
  await order.catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });
}
