/**
 * Takes the next due step of a worker that moves, and asks again soon while a machine is at it. Each step is a command with an id derived
 * from the move: a coordinator that takes over in the middle finds the finished steps.
 */
import type { WorkerEvent } from '@drover/core';
import type { Query, QueryResult } from '@drover/protocol';
import type { DueWork, WorkerRow } from '@drover/store';
import { Waiters } from '../../context/waiters.ts';
import type { Context } from '../../context/context.ts';
import { handleEvent } from '../../loop/handle-events.ts';
import { askOnce } from '../../facts/machines/query.ts';
import { carryCheckpoint, isSentAgain, STEP_MS, stepId, TRIES } from '../../facts/machines/carry.ts';
import { parcelBytesMax } from '../../facts/machines/carry.ts';
import { POLICY } from '../../facts/people/causes.ts';
import { carriagePayload, leavingPayload } from '../../loop/subjects/moves.ts';
import type { PlaceRow } from '../../loop/subjects/moves.ts';

/** Milliseconds between questions to a machine that is at a step; after a while questions are rarer. */
const SOON_MS = 200;
const LATER_MS = 2_000;
/** Milliseconds until questions are rarer. */
const WHILE_MS = 20_000;
/** Milliseconds until a machine that could not clear a place tries again. */
const AGAIN_MS = 60_000;
/** Tries to clear a place: `drover doctor` names leftovers. */
const LEAVE_TRIES = 20;
/** Waiters without a caller: due work comes again. */
const NOBODY = { commands: new Waiters() } as const;

/** Does due steps, as far as possible now. */
export async function driveMove(ctx: Context, work: DueWork): Promise<void> {
  const next = work.kind === 'move' ? await carry(ctx, work) : await leave(ctx, work);
  const hint = await ctx.store.transaction(async (tx) => {
    if (next.kind === 'decide') {
      await tx.lockWorker(next.workerId);
      await tx.finishDueWork(work);
      const handled = await handleEvent(ctx, tx, { workerId: next.workerId, event: next.event, by: POLICY });
      return handled?.hint;
    }
    await tx.finishDueWork(work);
    if (next.kind === 'done') return undefined;
    await tx.schedule([{ ...work, payload: next.payload, dueAt: next.at }]);
    return () => ctx.hints.due(next.at);
  });
  hint?.();
}

type Next =
  | { readonly kind: 'done' }
  | { readonly kind: 'again'; readonly at: number; readonly payload: unknown }
  | { readonly kind: 'decide'; readonly workerId: string; readonly event: WorkerEvent };

function soon({ clock }: Context, { since }: { readonly since: number }, payload: unknown): Next {
  const now = clock.now();
  return { kind: 'again', at: now + (now - since < WHILE_MS ? SOON_MS : LATER_MS), payload };
}

async function carry(ctx: Context, { payload }: DueWork): Promise<Next> {
  const { workerId, move: id, since } = carriagePayload.parse(payload);
  const from = await ctx.store.readWorker(workerId);
  const move = from?.state.move;
  if (from === null || move?.kind !== 'carrying' || move.route.id !== id) return { kind: 'done' };
  const to: WorkerRow = { ...from, machineId: move.route.to.id };
  const { commit, conversation } = move.luggage;
  const expected = await answerOf(ctx, to, { query: { kind: 'expect', move: id }, id: stepId(id, 'expect') });
  if (expected === null) return soon(ctx, { since }, payload);
  if (expected.kind !== 'expected') return notCarried(workerId, id, wordsOf(expected));
  const checkpoint = { id, commit };
  const carried = await carryCheckpoint(ctx, NOBODY, { requestId: id, from, to, checkpoint, patienceMs: 0 });
  if (carried.kind === 'under-way') return soon(ctx, { since }, payload);
  if (carried.kind === 'refused') return notCarried(workerId, id, carried.message);
  const talk = conversation === null ? BEGUN : await carryConversation(ctx, { from, to, id, conversation });
  if (talk.kind === 'under-way') return soon(ctx, { since }, payload);
  return { kind: 'decide', workerId, event: { kind: 'move-carried', move: id, fresh: talk.fresh } };
}

/** Result for an agent that begins a new conversation on the other machine. */
const BEGUN = { kind: 'over', fresh: null } as const;

interface Talk {
  readonly id: string;
  readonly from: WorkerRow;
  readonly to: WorkerRow;
  readonly conversation: string;
}

/** Carries the conversation. `fresh`: why the agent begins a new conversation; null: it continues its own. */
async function carryConversation(
  ctx: Context,
  { id, from, to, conversation }: Talk,
): Promise<{ readonly kind: 'under-way' } | { readonly kind: 'over'; readonly fresh: string | null }> {
  let last: QueryResult | null = null;
  for (let tried = 1; tried <= TRIES; tried += 1) {
    const pack = { kind: 'pack-conversation', conversation, maxBytes: parcelBytesMax(ctx), resend: tried > 1 } as const;
    const packed = await answerOf(ctx, from, { query: pack, id: stepId(id, `talk pack ${tried}`) });
    if (packed === null) return { kind: 'under-way' };
    last = packed;
    if (isSentAgain(packed)) continue;
    if (packed.kind !== 'packed') break;
    const { sha256, bytes, name = conversation } = packed;
    const place = { kind: 'place-conversation', from: from.machineId, sha256, bytes, conversation, name } as const;
    const placed = await answerOf(ctx, to, { query: place, id: stepId(id, `talk place ${tried}`) });
    if (placed === null) return { kind: 'under-way' };
    if (placed.kind === 'placed') return BEGUN;
    last = placed;
    if (!isSentAgain(placed)) break;
  }
  return { kind: 'over', fresh: last === null ? 'its work was not transferred' : wordsOf(last) };
}

async function leave(ctx: Context, { payload }: DueWork): Promise<Next> {
  const leaving = leavingPayload.parse(payload);
  const { move, failed, place, since } = leaving;
  if ((await ctx.store.readMachine(place.machineId)) === null) return { kind: 'done' };
  const id = stepId(move, `leave ${place.machineId} ${failed}`);
  const left = await answerOf(ctx, place, { query: { kind: 'leave-place', move }, id });
  if (left === null) return soon(ctx, { since }, payload);
  if (left.kind === 'left') return { kind: 'done' };
  ctx.log('warn', `Cannot remove the files of "${place.name}" on its previous machine: ${wordsOf(left)}`);
  if (failed + 1 >= LEAVE_TRIES) return { kind: 'done' };
  return { kind: 'again', at: ctx.clock.now() + AGAIN_MS, payload: { ...leaving, failed: failed + 1 } };
}

function answerOf(
  ctx: Context,
  row: PlaceRow,
  { query, id }: { query: Query; id: string },
): Promise<QueryResult | null> {
  return askOnce(ctx, NOBODY, { row, query, id, timeoutMs: STEP_MS, until: ctx.clock.now() });
}

function notCarried(workerId: string, move: string, why: string): Next {
  return { kind: 'decide', workerId, event: { kind: 'move-not-carried', move, why } };
}

function wordsOf(result: QueryResult): string {
  return result.kind === 'failed' ? result.message : 'its machine answered something else';
}
