/** The use cases of questions to people: list, show, acknowledge, answer. */
import type { Actor, EscalationView, Outcome, EscalationFleet, Refusal } from '@drover/api';
import type { EscalationRow, StoreTransaction } from '@drover/store';
import { audited } from '../people/audit/rows.ts';
import { causeOf } from '../people/causes.ts';
import type { Context } from '../context.ts';
import { expireEscalation, isOpen } from './close.ts';
import { escalationView, shortIdOf } from './view.ts';
import type { Reach } from '../workers/find.ts';
import { handleEvent } from '../decisions/handle-event.ts';

type Answer = Parameters<EscalationFleet['resolveEscalation']>[0];

/** Newest first; without `all` only those that wait for an answer. */
export async function listEscalations(
  { store }: Context,
  { worker, all, limit }: Parameters<EscalationFleet['listEscalations']>[0],
  by: Reach,
): Promise<readonly EscalationView[]> {
  const who = worker === undefined ? {} : { workerName: worker };
  const where = by.project === null ? {} : { projectId: by.project };
  return (await store.listEscalations({ limit, ...who, ...where, ...(all ? {} : { open: true }) })).map(escalationView);
}

/** One escalation by its id, or enough of it. */
export async function showEscalation(ctx: Context, id: string, by: Reach): Promise<Outcome<EscalationView>> {
  const found = await findEscalation(ctx, id, by);
  return found.kind === 'refused' ? found : { kind: 'ok', value: escalationView(found.row) };
}

/** Notes that a person has seen it. The first one stays named. */
export async function ackEscalation(ctx: Context, id: string, by: Actor): Promise<Outcome<EscalationView>> {
  const found = await findEscalation(ctx, id, by);
  if (found.kind === 'refused') return found;
  return ctx.store.transaction(async (tx): Promise<Outcome<EscalationView>> => {
    const row = await tx.lockEscalation(found.row.id);
    if (row === null || !isOpen(row)) return over(row ?? found.row);
    if (row.status === 'acked') return { kind: 'ok', value: escalationView(row) };
    const acked = { ...row, status: 'acked' as const, ackedBy: by.name, updatedAt: ctx.clock.now() };
    await tx.saveEscalation(acked);
    const about = `escalation ${acked.id}`;
    await tx.audit(audited({ at: acked.updatedAt, by: causeOf(by), action: 'escalation-acked', about }));
    return { kind: 'ok', value: escalationView(acked) };
  });
}

/**
 * Answers it: the answer is an event of each worker that it is about, decided in the same transaction. Of two answers the
 * first valid one wins, because both need the workers' rows.
 */
export async function resolveEscalation(ctx: Context, answer: Answer, by: Actor): Promise<Outcome<EscalationView>> {
  const found = await findEscalation(ctx, answer.id, by);
  if (found.kind === 'refused') return found;
  const { outcome, hints } = await ctx.store.transaction((tx) =>
    decideAnswer(ctx, tx, { found: found.row, answer, by }),
  );
  for (const hint of hints) hint();
  return outcome;
}

interface Decided {
  readonly outcome: Outcome<EscalationView>;
  readonly hints: readonly (() => void)[];
}

async function decideAnswer(
  ctx: Context,
  tx: StoreTransaction,
  { found, answer, by }: { found: EscalationRow; answer: Answer; by: Actor },
): Promise<Decided> {
  const ids = found.members.map(({ workerId }) => workerId).toSorted();
  for (const id of ids) await tx.lockWorker(id);
  const [row] = await tx.listEscalations({ idPart: found.id, limit: 1 });
  if (row === undefined) return refused({ kind: 'refused', code: 'not-found', message: 'It is gone' });
  if (row.resolution?.orderId === answer.orderId)
    return { outcome: { kind: 'ok', value: escalationView(row) }, hints: [] };
  const problem = isOpen(row) ? problemOf(row, answer) : over(row);
  if (problem !== null) return refused(problem);
  const heard = await tell(ctx, tx, { row, answer, by });
  if (heard.accepted === 0) return refused(await staleAnswer(ctx, tx, { row, message: heard.message }));
  return { outcome: { kind: 'ok', value: await accept(ctx, tx, { row, answer, by }) }, hints: heard.hints };
}

function refused(outcome: Refusal): Decided {
  return { outcome, hints: [] };
}

/** Gives the answer to every worker that still waits, by their ids. */
async function tell(
  ctx: Context,
  tx: StoreTransaction,
  { row, answer, by }: { row: EscalationRow; answer: Answer; by: Actor },
): Promise<{ accepted: number; message: string; hints: readonly (() => void)[] }> {
  const hints: (() => void)[] = [];
  let message = 'its worker is gone';
  const waiting = row.members.filter(({ over: isOver }) => !isOver);
  for (const { workerId, incidentId } of waiting.toSorted((one, other) => (one.workerId < other.workerId ? -1 : 1))) {
    if (incidentId === null) continue;
    const { option, text = null } = answer;
    const event = { kind: 'escalation-answered', incident: incidentId, option, text, by: by.name } as const;
    const handled = await handleEvent(ctx, tx, { workerId, event, by: causeOf(by), orderId: answer.orderId });
    if (handled?.reply.kind === 'refused') message = handled.reply.message;
    else if (handled !== null) hints.push(handled.hint);
  }
  return { accepted: hints.length, message, hints };
}

async function accept(
  ctx: Context,
  tx: StoreTransaction,
  { row, answer, by }: { row: EscalationRow; answer: Answer; by: Actor },
): Promise<EscalationView> {
  const now = ctx.clock.now();
  // What the workers heard may have changed it: an answer that a machine carries out is not applied yet.
  const known = (await tx.lockEscalation(row.id)) ?? row;
  const { orderId, option, text = null } = answer;
  const resolved: EscalationRow = {
    ...known,
    status: 'resolved',
    resolution: { option, text, by: by.name, actor: causeOf(by), orderId, at: now },
    application: known.application === 'pending' ? 'pending' : 'applied',
    members: known.members.map((member) => ({ ...member, over: true })),
    updatedAt: now,
    resolvedAt: now,
  };
  await tx.saveEscalation(resolved);
  return escalationView(resolved);
}

/** No worker of the escalation waits for this answer. If all their incidents are over, the escalation has expired. */
async function staleAnswer(
  ctx: Context,
  tx: StoreTransaction,
  { row, message }: { row: EscalationRow; message: string },
): Promise<Refusal> {
  for (const { workerId, incidentId } of row.members) {
    const worker = await tx.lockWorker(workerId);
    if (incidentId !== null && worker?.state.incident.open?.id !== incidentId)
      await expireEscalation(tx, incidentId, ctx.clock.now());
  }
  return { kind: 'refused', code: 'stale', message: `The answer came too late: ${message}` };
}

/** Why the answer cannot be taken as it is; null if it can. */
function problemOf({ question }: EscalationRow, { option, text }: Answer): Refusal | null {
  const chosen = question.options.find(({ id }) => id === option);
  const names = question.options.map(({ id }) => `"${id}"`).join(', ');
  if (chosen === undefined)
    return { kind: 'refused', code: 'invalid', message: `There is no option "${option}"; there are: ${names}` };
  if (chosen.needsText && text === undefined)
    return { kind: 'refused', code: 'invalid', message: `The option "${option}" needs words: add --text "…"` };
  return null;
}

/** The refusal of a late answer: who won, or why none is needed. */
function over(row: EscalationRow): Refusal {
  const id = shortIdOf(row.id);
  if (row.resolution !== null) {
    const { by, option } = row.resolution;
    return {
      kind: 'refused',
      code: 'already-resolved',
      message: `${by} answered ${id} already, with "${option}"`,
    };
  }
  const why =
    row.status === 'cancelled' || row.status === 'expired'
      ? `${id} needs no answer any more: it is ${row.status}`
      : `${id} was settled at its worker`;
  return {
    kind: 'refused',
    code: `already-${row.status}`,
    message: `${why}; "drover escalations show ${id}" says more`,
  };
}

type Found = { readonly kind: 'found'; readonly row: EscalationRow } | Refusal;

/** A whole id, or a beginning or end that only one has. Where several have it, the only open one of them is meant. */
async function findEscalation({ store }: Context, part: string, by: Reach): Promise<Found> {
  const where = by.project === null ? {} : { projectId: by.project };
  const rows = await store.listEscalations({ idPart: part, limit: 20, ...where });
  const open = rows.filter(isOpen);
  const [row] = open.length === 1 ? open : rows;
  if (row === undefined) {
    const message = `There is no escalation "${part}": see "drover escalations --all"`;
    return { kind: 'refused', code: 'not-found', message };
  }
  if (rows.length === 1 || open.length === 1) return { kind: 'found', row };
  const ids = rows.map(({ id }) => id).join(', ');
  return { kind: 'refused', code: 'invalid', message: `"${part}" may be ${rows.length} escalations: ${ids}` };
}
