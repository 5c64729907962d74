/** Sends a message of a run to a worker, with its receipt: it arrives once, or its sender is told (W12). */
import type { RunMessageRow, StoreTransaction } from '@drover/store';
import { redactorOf } from '../../context/context.ts';
import type { Context } from '../../context/context.ts';
import { POLICY } from '../../facts/people/causes.ts';
import { handleEvent } from '../handle-events.ts';

export interface Sending {
  readonly id: string;
  readonly runId: string;
  /** Name of the sender. */
  readonly from: string;
  readonly to: { readonly workerId: string; readonly name: string };
  /** Words for the list of messages. */
  readonly words: string;
  /** Text as the agent reads it. */
  readonly text: string;
  /** True for words of another agent: they answer no question of the receiver to a person (W13). */
  readonly grantsNothing: boolean;
}

/** Puts the message into the worker's mailbox, between its turns. @returns the receipt, and the wake-up for after the commit. */
export async function sendMessage(
  ctx: Context,
  tx: StoreTransaction,
  { id, runId, from, to, words, text, grantsNothing }: Sending,
): Promise<{ readonly row: RunMessageRow; readonly hint: () => void }> {
  const event = { kind: 'message-requested', id, text, ...(grantsNothing && { grantsNothing }) } as const;
  const handled = await handleEvent(ctx, tx, { workerId: to.workerId, event, by: POLICY });
  const why = handled === null ? 'it was removed' : handled.reply.kind === 'refused' ? handled.reply.message : null;
  const row = {
    ...entry(ctx, { id, runId, from, to: to.name, words }),
    state: why === null ? 'queued' : 'refused',
    why,
  } as const;
  await tx.insertRunMessage(row);
  return { row, hint: () => handled?.hint() };
}

/** Makes the row of a message that was delivered at once. */
export function entry(
  ctx: Context,
  { id, runId, from, to, words }: Pick<Sending, 'id' | 'runId' | 'from' | 'words'> & { readonly to: string },
): RunMessageRow {
  const now = ctx.clock.now();
  const text = redactorOf(ctx).text(words);
  return { id, runId, sender: from, receiver: to, text, state: 'delivered', why: null, createdAt: now, updatedAt: now };
}
