/** Speaks to the worker that holds an item of a run: its next turn, a notice, its release. */
import { spentWords } from '@drover/core';
import type { BudgetSpent, RunOutcome, WorkerEvent } from '@drover/core';
import type { DueWork, StoreTransaction, WorkerRow } from '@drover/store';
import { accountKeyOf } from '../../../context/account-key.ts';
import type { Context } from '../../../context/context.ts';
import { POLICY } from '../../../facts/people/causes.ts';
import { handleEvent } from '../../../loop/handle-events.ts';
import type { Outcome } from '../../../loop/handle-events.ts';
import { sendMessage } from '../../../loop/runs/messages.ts';
import { settle, stepOf } from '../../../loop/runs/settle.ts';
import { spentFor } from '../../../loop/subjects/budgets.ts';
import type { Carried } from './carried.ts';

type Hint = ReturnType<typeof stepOf>;

/** Gives the next turn: of a worker that holds, or, to hand back, of one at work. */
export async function send(ctx: Context, { work, run, request }: Carried<'send' | 'hand-back'>): Hint {
  const { id, item, workerId } = request;
  const event = turnOf(request, ctx.ids.uuid());
  const spent = request.kind === 'send' ? await spentFor(ctx, ctx.store, { run, workerId }) : null;
  if (spent !== null) {
    const outcome = overBudget(id, spent);
    return stepOf(ctx, work, (tx) => settle(ctx, tx, { work, runId: run.id, outcome }));
  }
  return tell(ctx, { work, workerId, event }, async (tx, handled) => {
    const outcome = request.kind === 'send' ? placedOrGone(ctx, { id, item, handled }) : null;
    return settle(ctx, tx, { work, runId: run.id, outcome });
  });
}

/** Outcome of a placement on a spent budget. */
export function overBudget(request: string, spent: BudgetSpent): NotPlaced {
  return { kind: 'not-placed', request, why: 'budget', spent, text: spentWords(spent.use).slice(0, -1) };
}

type NotPlaced = Extract<RunOutcome, { readonly kind: 'not-placed' }>;

/** Makes of a request the worker's event: a turn that hands back interrupts an agent at work. */
export function turnOf({ kind, item, text }: Carried<'send' | 'hand-back'>['request'], id: string): WorkerEvent {
  const turn = { kind: 'run-turn-requested', id, text, run: item } as const;
  return kind === 'hand-back' ? { ...turn, handBack: true } : turn;
}

function placedOrGone(
  ctx: Context,
  {
    id: request,
    item: { item, attempt },
    handled,
  }: { readonly id: string; readonly item: Carried<'send'>['request']['item']; readonly handled: Outcome | null },
): RunOutcome {
  if (handled === null || handled.reply.kind === 'refused') {
    const text = handled?.reply.kind === 'refused' ? handled.reply.message : 'the worker was removed';
    return { kind: 'not-placed', request, why: 'gone', account: null, until: null, text };
  }
  const row: WorkerRow = handled.row;
  const { id: workerId, name, options } = row;
  const account = accountKeyOf(ctx, row);
  return { kind: 'placed', request, item, attempt, workerId, name, profile: options.profile, account };
}

/** Tells a worker something between its turns; nothing waits for the outcome. Words of a person get a receipt. */
export async function tellWorker(ctx: Context, { work, run, request }: Carried<'tell'>): Hint {
  const { workerId, text, from } = request;
  const id = ctx.ids.uuid();
  if (from === null) {
    const event: WorkerEvent = { kind: 'message-requested', id, text, grantsNothing: true };
    return tell(ctx, { work, workerId, event }, (tx) => settle(ctx, tx, { work, runId: run.id, outcome: null }));
  }
  const name = (await ctx.store.readWorker(workerId))?.name ?? workerId;
  return stepOf(ctx, work, async (tx) => {
    const to = { workerId, name };
    const sent = await sendMessage(ctx, tx, { id, runId: run.id, from, to, words: text, text, grantsNothing: false });
    const settled = await settle(ctx, tx, { work, runId: run.id, outcome: null });
    return () => {
      sent.hint();
      settled();
    };
  });
}

/** Frees the worker. One that is gone, or that a person took over, is free already. */
export async function release(ctx: Context, { work, run, request }: Carried<'release'>): Hint {
  const { id, item, workerId } = request;
  const how = run.state.merged === null ? 'dropped' : 'merged';
  const why = how === 'merged' ? 'its run was merged' : 'its run needs it no more';
  const event: WorkerEvent = { kind: 'run-released', id: ctx.ids.uuid(), run: { runId: run.id, item }, how, why };
  const outcome: RunOutcome = { kind: 'released', request: id, workerId };
  return tell(ctx, { work, workerId, event }, (tx) => settle(ctx, tx, { work, runId: run.id, outcome }));
}

interface Told {
  readonly work: DueWork;
  readonly workerId: string;
  readonly event: WorkerEvent;
}

async function tell(
  ctx: Context,
  { work, workerId, event }: Told,
  after: (tx: StoreTransaction, handled: Outcome | null) => Promise<() => void>,
): Hint {
  return stepOf(ctx, work, async (tx) => {
    const handled = await handleEvent(ctx, tx, { workerId, event, by: POLICY });
    const settled = await after(tx, handled);
    return () => {
      handled?.hint();
      settled();
    };
  });
}
