/** Settles messages of runs: read, or gone from a worker's mailbox unread, such as with the end of its task (W12). */
import { unreadTexts } from '@drover/core';
import type { StoreTransaction } from '@drover/store';
import { POLICY } from '../../facts/people/causes.ts';
import type { RecordOf, Saving } from '../about.ts';
import { isGone } from '../incidents.ts';
import { runEventDue } from './due.ts';

const WHY = 'its task ended before it had read it';
/** Ids of messages; texts of a worker's own have other ones. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/** Notes that a message reached the worker, if the text was one. */
export function noteRead(
  tx: StoreTransaction,
  { textId, purpose }: RecordOf<'receipt'>,
  { changes, now }: Pick<Saving, 'changes' | 'now'>,
): void {
  if (purpose !== 'message' || !UUID.test(textId)) return;
  changes.withSubject(async () => {
    await tx.settleRunMessage(textId, { state: 'delivered', why: null, updatedAt: now });
  });
}

/** Marks messages that nobody will read as expired; their run tells the senders. Call after the receipts. */
export function expireUnread(tx: StoreTransaction, about: Saving): void {
  const { row, after, now, changes } = about;
  // A worker that is removed takes its mailbox with it.
  const left = new Set((isGone(about) ? [] : unreadTexts(after)).map(({ id }) => id));
  for (const { id, purpose } of unreadTexts(row.state)) {
    if (purpose !== 'message' || left.has(id) || !UUID.test(id)) continue;
    changes.withSubject(async () => {
      const lost = await tx.settleRunMessage(id, { state: 'expired', why: WHY, updatedAt: now });
      if (lost === null) return;
      const { runId, sender: from, receiver: to } = lost;
      const event = { kind: 'message-lost', from, to, why: WHY } as const;
      changes.schedule(runEventDue({ runId, id: `message ${id}`, event, by: POLICY }, now));
    });
  }
}
