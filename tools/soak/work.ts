// Runs one worker of the soak: one task after the other, each to its end, with a person who accepts or ends it.
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerView } from '@drover/api';
import { Refused, type Api } from './api.ts';
import { wordsOf, type Given, type LedgerLine } from './count.ts';

/** A task counts as lost when it has neither reached review nor been reported after so many milliseconds. */
const LOST_AFTER_MS = 20 * 60_000;
const POLL_EVERY_MS = 1_000;
/** Longest time that the agent works on a task, in milliseconds: chaos shall also meet turns that last. */
const WORK_MAX_MS = 8_000;

export interface Shift {
  readonly api: Api;
  /** Fires when no new task shall begin. */
  readonly ending: AbortSignal;
  readonly nextTask: () => number;
  readonly write: (line: LedgerLine) => void;
  /** Tells whether its commit is in the default branch. */
  readonly isMerged: (task: number) => boolean;
}

/** A task, and what is known of its end from an earlier run. */
type Open = Given & { readonly ending: string | null };

/** Works until the end of the shift. @param open The task that an earlier run left. */
export async function work(shift: Shift, worker: string, open: Open | undefined): Promise<void> {
  await addWorker(shift, worker);
  if (open !== undefined) await carryOut(shift, open);
  while (!shift.ending.aborted) {
    const task = {
      kind: 'given',
      task: shift.nextTask(),
      worker,
      requestId: randomUUID(),
      workMs: randomInt(WORK_MAX_MS),
    } as const;
    shift.write(task);
    await carryOut(shift, { ...task, ending: null });
  }
}

async function addWorker({ api }: Shift, name: string): Promise<void> {
  const workers = await api.workers();
  if (!workers.some((worker) => worker.name === name)) await api.request('add', { name });
  await statusOf(api, name, ({ status }) => status !== 'offline');
}

async function carryOut(shift: Shift, given: Open): Promise<void> {
  const { api, write } = shift;
  const { task, worker, requestId } = given;
  const began = Date.now();
  try {
    await api.request('start', { requestId, name: worker, prompt: promptOf(given) });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // The worker is at this task already: a repeated request, or one of an earlier run.
    const { prompt } = await statusOf(api, worker, () => true);
    if (prompt?.includes(wordsOf(task)) !== true) {
      write(settled(shift, given, error.message));
      return free(api, worker);
    }
  }
  write(await outcome(shift, given, began));
}

/** Returns how a task ended that its worker has left, whatever was heard of it. */
function settled({ isMerged }: Shift, { task, ending }: Open, refusal: string): LedgerLine {
  if (isMerged(task)) return { kind: 'done', task, tookMs: 0 };
  return ending === null ? { kind: 'refused', task, why: refusal } : { kind: 'told', task, why: ending };
}

/** An open question may be the reason why a task was refused. */
async function free(api: Api, worker: string): Promise<void> {
  await delay(POLL_EVERY_MS);
  const { status } = await statusOf(api, worker, () => true);
  if (status === 'needs_input' || status === 'error') await endedByPerson(api, worker, () => {});
}

function promptOf({ task, workMs }: Given): string {
  const words = wordsOf(task);
  return [`Do ${words}.`, `WRITE work/${task}.txt ${words}`, `SLOW ${workMs}`, `COMMIT ${words}`].join('\n');
}

/** Follows a task to its end. */
async function outcome(shift: Shift, given: Open, began: number): Promise<LedgerLine> {
  const { api, isMerged, write } = shift;
  const { task, worker } = given;
  let { ending } = given;
  for (;;) {
    const { status, note } = await statusOf(api, worker, () => true);
    const tookMs = Date.now() - began;
    if (status === 'idle') {
      if (isMerged(task)) return { kind: 'done', task, tookMs };
      if (ending !== null) return { kind: 'told', task, why: ending };
      return { kind: 'lost', task, why: `the worker is idle: ${note}` };
    }
    if (status === 'needs_review') await tolerant(api.accept(worker));
    if (status === 'needs_input' || status === 'error')
      await endedByPerson(api, worker, (title) => {
        ending = `${title} (${note})`;
        write({ kind: 'ending', task, why: ending });
      });
    if (tookMs > LOST_AFTER_MS) return { kind: 'lost', task, why: `it is ${status}: ${note}` };
    await delay(POLL_EVERY_MS);
  }
}

/** Ends the task, if there is a question (already) that can be answered so. @param before Told of the question first. */
async function endedByPerson(api: Api, worker: string, before: (title: string) => void): Promise<void> {
  const [question] = await api.questions(worker);
  if (question === undefined || !question.question.options.some(({ id }) => id === 'skip')) return;
  before(question.title);
  await tolerant(api.resolve(question, 'skip'));
}

async function statusOf(api: Api, name: string, is: (worker: WorkerView) => boolean): Promise<WorkerView> {
  const end = Date.now() + LOST_AFTER_MS;
  for (;;) {
    const worker = (await api.workers()).find((each) => each.name === name);
    if (worker !== undefined && (is(worker) || Date.now() > end)) return worker;
    await delay(POLL_EVERY_MS);
  }
}

/** A refusal is an answer, too: another request was faster, or the state has changed. */
async function tolerant(request: Promise<void>): Promise<void> {
  await request.catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });
}
