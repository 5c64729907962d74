/**
 * Handles responses to a question beside an answer: acknowledge, snooze, escalate, and comments for the others. X3: each counts once;
 * repeated, it gets its first reply. Each is a row, in the transaction that carries it out.
 */
import { ackOncall, hurryOncall, snoozeOncall } from '@drover/core';
import type { Oncall } from '@drover/core';
import type { Actor, EscalationView, Outcome } from '@drover/api';
import type { EscalationResponse, EscalationRow, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { audited } from '../../facts/people/audit-rows.ts';
import { readableName } from '../../facts/people/actor.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { Callable } from '../../loop/escalations/callable.ts';
import { isOpen } from '../../facts/escalations/context.ts';
import { findEscalation, over } from '../../facts/escalations/find.ts';
import { armOncall, oncallOf } from '../../loop/escalations/oncall.ts';
import { escalationView } from '../../facts/escalations/view.ts';

/** Response of a person. */
export type Said =
  | { readonly kind: 'ack' }
  | { readonly kind: 'snooze'; readonly forMs: number }
  | { readonly kind: 'escalate' }
  | { readonly kind: 'comment'; readonly text: string };

/** Question of a response, and the client's id of the request; without one the request is new. */
export interface SaidOf {
  readonly id: string;
  readonly requestId?: string | undefined;
  readonly said: Said;
}

type Reply = Outcome<EscalationView>;

/** Carries out a response, or returns the reply that the same request got. */
export async function respond(
  ctx: Context,
  { id, requestId = ctx.ids.uuid(), said }: SaidOf,
  by: Actor,
): Promise<Reply> {
  const known = await ctx.store.readResponse(requestId);
  if (known !== null)
    return repliedBefore(known, { id, said, by, row: await ctx.store.readEscalation(known.escalationId) });
  const found = await findEscalation(ctx, id, by);
  if (found.kind === 'refused') return found;
  return ctx.store.transaction(async (tx): Promise<Reply> => {
    const row = await tx.lockEscalation(found.row.id);
    if (row === null) return over(found.row);
    const before = await tx.readResponse(requestId);
    if (before !== null) return repliedBefore(before, { id, said, by, row });
    if (!isOpen(row) && said.kind !== 'comment') return over(row);
    return keep(ctx, tx, { row, said, requestId, by });
  });
}

async function keep(
  ctx: Context,
  tx: StoreTransaction,
  { row, said, requestId, by }: { row: EscalationRow; said: Said; requestId: string; by: Actor },
): Promise<Reply> {
  const now = ctx.clock.now();
  const oncall = oncallOf(row, { now, project: await tx.readProject(row.projectId) });
  const next = after({ row, oncall, said }, { by: readableName(ctx, by), now });
  if (next !== row) {
    await tx.saveEscalation(next);
    await armOncall(ctx, tx, { row: next, isNew: false, callable: new Callable(tx) });
  }
  const reply: Reply = { kind: 'ok', value: escalationView({ ...next, version: row.version + 1 }) };
  const text = said.kind === 'comment' ? said.text : null;
  const until = said.kind === 'snooze' ? now + said.forMs : null;
  const actor = causeOf(by);
  const about = { requestId, escalationId: row.id, kind: said.kind, asked: row.asked };
  await tx.insertResponse({ ...about, option: null, text, until, actor, reply, at: now });
  const details = until === null ? {} : { until };
  await tx.audit(audited({ at: now, by: actor, action: ACTIONS[said.kind], about: `escalation ${row.id}`, details }));
  return reply;
}

const ACTIONS: Readonly<Record<Said['kind'], string>> = {
  ack: 'escalation-acked',
  snooze: 'escalation-snoozed',
  escalate: 'escalation-escalated',
  comment: 'escalation-commented',
};

/** Builds the row after a response. The first person who acknowledges stays named. */
function after(
  { row, oncall, said }: { row: EscalationRow; oncall: Oncall; said: Said },
  { by, now }: { by: string; now: number },
): EscalationRow {
  switch (said.kind) {
    case 'ack': {
      if (row.status === 'acked') return row;
      return { ...row, status: 'acked', ackedBy: by, oncall: ackOncall(oncall, now), updatedAt: now };
    }
    case 'snooze': {
      const snoozed = snoozeOncall(oncall, now + said.forMs);
      return { ...row, status: 'open', ackedBy: null, oncall: snoozed, updatedAt: now };
    }
    case 'escalate':
      return { ...row, status: 'open', ackedBy: null, oncall: hurryOncall(oncall, now), updatedAt: now };
    case 'comment':
      return { ...row, updatedAt: now };
    default:
      return said satisfies never;
  }
}

/** Returns the earlier reply to the same request. Only coordinators write replies, so this one is read unchecked. */
function repliedBefore(
  known: EscalationResponse,
  { id, said, by, row }: { id: string; said: Said; by: Actor; row: EscalationRow | null },
): Reply {
  const { escalationId, kind, text, until, at, reply } = known;
  const isIt =
    (escalationId.startsWith(id) || escalationId.endsWith(id)) &&
    kind === said.kind &&
    text === (said.kind === 'comment' ? said.text : null) &&
    until === (said.kind === 'snooze' ? at + said.forMs : null);
  if (isIt && row?.id === escalationId && (by.project === null || by.project === row.projectId)) return reply as Reply;
  const message = `The request ${known.requestId} was already used for something else: give each request its own id`;
  return { kind: 'refused', code: 'key-reused', message };
}
