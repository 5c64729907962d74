// Simulates what people do about recovery: they answer questions, request checkpoints and restores, and fill the work queue.
import type { Fleet, Outcome } from '@drover/api';
import { inHand } from '@drover/core';
import type { Worker, WorkerStatus } from '@drover/core';
import type { EscalationRow, WorkerRow } from '@drover/store';
import type { SeededRandom } from '@drover/testkit';
import type { Scene } from '../scene.ts';
import { PERSON, refOf, type Asked } from './people.ts';

export interface RecoveryRequests extends Pick<Scene, 'random' | 'database'> {
  /** @returns whether it was accepted, as far as the person knows. */
  readonly request: (what: string, ask: Asked) => Promise<boolean>;
  /** A channel that delivers at least once delivers the same request again, some time later. */
  readonly deliverAgain: (what: string, ask: (fleet: Fleet) => Promise<Outcome<unknown>>) => void;
  /** Every reply to an answer is noted: those to one id are the same. */
  readonly replied: (requestId: string, reply: Outcome<unknown>) => void;
  readonly mark: () => string;
  /** The role that an item of the queue asks for. */
  readonly role: () => { readonly role?: string };
  /** Makes the checks ignore earlier words to this worker from now on. */
  readonly dropped: (workerId: string) => void;
}

/** Answers that end what the worker had in hand. */
export const ENDS: ReadonlySet<string> = new Set(['skip', 'take-over', 'retry-with-changes']);

/** Answers one of the open questions, of one worker or of all, if there are any. @returns false when there are none. */
export async function answerSomething(requests: RecoveryRequests, workerId?: string): Promise<boolean> {
  const { random, database } = requests;
  const open = [...database.escalations.values()].filter(
    (row) =>
      (row.status === 'open' || row.status === 'acked') &&
      (workerId === undefined || row.workerId === workerId) &&
      // Whoever started a run answers its questions (runner.ts).
      !row.dedupeKey.startsWith('run:'),
  );
  if (open.length === 0) return false;
  await answer(requests, random.pick(open));
  return true;
}

/** Sends words beside an answer. */
async function saySomething({ random, request }: RecoveryRequests, id: string): Promise<void> {
  const short = id.slice(-4);
  const what = random.pick(['ack', 'ack', 'snooze', 'escalate', 'comment'] as const);
  await request(`${what} ${short}`, (fleet, requestId) => {
    switch (what) {
      case 'ack':
        return fleet.ackEscalation({ id, requestId }, PERSON);
      case 'snooze':
        return fleet.snoozeEscalation({ id, requestId, forMs: 60_000 }, PERSON);
      case 'escalate':
        return fleet.escalateEscalation({ id, requestId }, PERSON);
      case 'comment':
        return fleet.commentEscalation({ id, requestId, text: 'I look' }, PERSON);
      default:
        return what satisfies never;
    }
  });
}

async function answer(requests: RecoveryRequests, { id, question, members, asked }: EscalationRow): Promise<void> {
  const { random, database } = requests;
  // Most people answer: try again.
  const retry = question.options.find((one) => one.id === 'retry');
  const [first] = question.options;
  const any = first === undefined ? null : random.pick(question.options);
  const option = retry !== undefined && random.chance(0.5) ? retry : any;
  if (option === null || random.chance(0.1)) {
    await saySomething(requests, id);
    return;
  }
  const mark = requests.mark();
  const words = option.needsText ? { text: `rather so ${mark}` } : {};
  // The request may have been taken, whether or not its answer comes back.
  const end = (): void => {
    // Other workers may have joined since.
    const all = [...members, ...(database.escalations.get(id)?.members ?? [])];
    if (ENDS.has(option.id)) for (const { workerId } of all) requests.dropped(workerId);
  };
  end();
  // X4: a card of an earlier asking is pressed.
  const isLate = asked > 1 && random.chance(0.2);
  const what = `resolve ${id.slice(-4)} "${option.id}"${isLate ? ' of before' : ''}`;
  const give = async (fleet: Fleet, requestId: string): Promise<Outcome<unknown>> => {
    const seen = isLate ? asked - 1 : asked;
    const answer = { requestId, id, option: option.id, asked: seen, ...words };
    const reply = await fleet.resolveEscalation(answer, PERSON);
    requests.replied(requestId, reply);
    return reply;
  };
  let used: string | null = null;
  const ours = requests.request(what, (fleet, requestId) => {
    used = requestId;
    return give(fleet, requestId);
  });
  // X2: somebody else answers the same question elsewhere at the same time.
  const other = random.chance(0.3) ? [requests.request(`${what} elsewhere`, give)] : [];
  await Promise.all([ours, ...other]);
  end();
  const again = used;
  if (again !== null && random.chance(0.5)) requests.deliverAgain(what, (fleet) => give(fleet, again));
}

/** Saves, or brings back, the work of a worker. */
export async function checkpointOrRecover(requests: RecoveryRequests, row: WorkerRow): Promise<void> {
  const { random, database } = requests;
  const { id } = row;
  const name = refOf(database, row);
  const points = [...database.checkpoints.values()].filter(({ workerId }) => workerId === id);
  if (points.length === 0 || random.chance(0.4)) {
    await requests.request(`checkpoint ${name}`, (fleet, requestId) =>
      fleet.createCheckpoint({ requestId, worker: name }, PERSON),
    );
    return;
  }
  // A repeated request reaches the worker that has the name now, perhaps one that was added since (seed 140179895).
  const drop = (): void => {
    for (const one of database.workers.values()) if (refOf(database, one) === name) requests.dropped(one.id);
  };
  drop();
  const checkpoint = random.chance(0.5) ? {} : { checkpoint: random.pick(points).id };
  await requests.request(`recover ${name}`, (fleet, requestId) =>
    fleet.recover(
      { requestId, worker: name, ...checkpoint, resetAgent: random.chance(0.3), dryRun: random.chance(0.1) },
      PERSON,
    ),
  );
  drop();
}

/** Adds an item to the work queue, or drops or revives one. */
export async function useQueue(requests: RecoveryRequests): Promise<void> {
  const { random, database, mark } = requests;
  const items = [...database.queueItems.values()];
  if (items.length === 0 || random.chance(0.6)) {
    const priority = random.pick(['S0', 'S1', 'S2', 'S3'] as const);
    const prompt = `from the queue ${mark()}`;
    const role = requests.role();
    const project = random.pick([...database.projects.values()]).name;
    await requests.request(`queue add ${priority}`, (fleet, requestId) =>
      fleet.addToQueue({ requestId, project, priority, prompt, ...role }, PERSON),
    );
    return;
  }
  const { id } = random.pick(items);
  const what = random.pick(['drop', 'retry', 'retry', 'cancel'] as const);
  await requests.request(`queue ${what} ${id.slice(-4)}`, (fleet, requestId) => {
    switch (what) {
      case 'drop':
        return fleet.dropQueueItem({ id }, PERSON);
      case 'retry':
        return fleet.retryQueueItem({ id }, PERSON);
      case 'cancel':
        return fleet.cancel({ requestId, name: id }, PERSON);
      default:
        return what satisfies never;
    }
  });
}

/** Chance that a person who looks at a worker in such a state cancels its task. Cancelling finished work is refused. */
const CANCELS: Readonly<Partial<Record<WorkerStatus, number>>> = {
  working: 0.06,
  rebasing: 0.2,
  rejected: 0.08,
  needs_input: 0.05,
  needs_review: 0.01,
  error: 0.06,
  offline: 0.06,
};

/** Tells whether a person who looks at a worker wants its task cancelled. */
export function wantsCancel({ task, lifecycle }: Worker, random: SeededRandom): boolean {
  return inHand(task) !== null && random.chance(CANCELS[lifecycle.status] ?? 0);
}
