/** Closes an escalation: its question is answered or moot. */
import { reopenOncall } from '@drover/core';
import type { EscalationRow, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import type { About, RecordOf, Saving } from '../about.ts';
import { rereadEvidence } from '../subjects/evidence.ts';
import { isOpen } from '../../facts/escalations/context.ts';
import { isAboutItem } from '../subjects/queue-question.ts';
import { armOncall, oncallOf } from './oncall.ts';

/** Escalations that one worker can have open: one for its incident, one of a storm. */
const OPEN_MAX = 20;

type End = Extract<EscalationRow['status'], 'resolved' | 'expired' | 'cancelled'>;

/** Closes the escalation when the incident says that its question is answered or moot. */
export async function closeEscalation(
  tx: StoreTransaction,
  { about, entry }: { about: About; entry: RecordOf<'escalation-closed'> },
): Promise<void> {
  await endMember(tx, { find: { incidentId: entry.incident }, how: entry.how, now: about.now });
}

/** Expires the escalation of an incident that ended without a record of its question. */
export async function expireEscalation(tx: StoreTransaction, incidentId: string, now: number): Promise<void> {
  await endMember(tx, { find: { incidentId }, how: 'expired', now });
}

/** Withdraws the questions of a removed worker, unless they are about an item of the queue. */
export async function withdrawEscalations(tx: StoreTransaction, { row, now }: About): Promise<void> {
  await endMember(tx, { find: { workerId: row.id }, how: 'cancelled', now });
}

async function endMember(
  tx: StoreTransaction,
  { find, how, now }: { find: { readonly incidentId: string } | { readonly workerId: string }; how: End; now: number },
): Promise<void> {
  for (const { id } of await tx.listEscalations({ ...find, open: true, limit: OPEN_MAX })) {
    const known = await tx.lockEscalation(id);
    if (known === null || !isOpen(known)) continue;
    if ('workerId' in find && isAboutItem(known.question)) continue;
    const members = known.members.map((member) => {
      const isMeant = 'workerId' in find ? member.workerId === find.workerId : member.incidentId === find.incidentId;
      return isMeant ? { ...member, over: true } : member;
    });
    const ended = members.every(({ over }) => over) ? { status: how, resolvedAt: now } : {};
    await tx.saveEscalation({ ...known, members, ...ended, updatedAt: now });
  }
}

/** Notes the result of an answer at the machine. If its worker still waits, the question is open again, as another asking (X4). */
export async function noteApplied(
  ctx: Context,
  tx: StoreTransaction,
  { about, entry }: { about: Saving; entry: RecordOf<'answer-applied'> },
): Promise<void> {
  const { incident, application } = entry;
  const [newest, ...others] = await tx.listEscalations({ incidentId: incident, limit: OPEN_MAX });
  if (newest === undefined) return;
  const known = await tx.lockEscalation(newest.id);
  if (known === null) return;
  const { open } = about.after.incident;
  const waits = open?.id === incident && open.escalated;
  const isAskedAgain = waits && !isOpen(known) && !others.some(isOpen);
  const again = isAskedAgain ? reopened(known, { incident, about }) : {};
  const row = { ...known, ...again, application, updatedAt: about.now };
  await tx.saveEscalation(row);
  // A question that is open here is being answered in this transaction: nobody is called about it any more.
  if (!isAskedAgain) return;
  await armOncall(ctx, tx, { row, isNew: false, callable: about.callable });
  await rereadEvidence(tx, { about, question: row });
}

function reopened(
  known: EscalationRow,
  { incident, about: { now, project } }: { incident: string; about: About },
): Partial<EscalationRow> {
  const members = known.members.map((member) => (member.incidentId === incident ? { ...member, over: false } : member));
  const oncall = reopenOncall(oncallOf(known, { now, project }), now);
  return { status: 'open', asked: known.asked + 1, resolution: null, resolvedAt: null, ackedBy: null, members, oncall };
}
