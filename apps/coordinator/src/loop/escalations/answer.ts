/**
 * Answers a question for a person. X2: of several answers one wins, and the others hear which. X3: an answer acts once; repeated, it gets
 * its first reply, also when the question is open again. X4: an answer counts only for the asking that it names.
 */
import { GO_ON_TODAY, RAISE_BUDGET } from '@drover/core';
import type { Actor, EscalationFleet, EscalationView, Outcome, Refusal, Role } from '@drover/api';
import type { Cause, EscalationResponse, EscalationRow, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { handleEvent } from '../handle-events.ts';
import { readableName } from '../../facts/people/actor.ts';
import { causeOf, POLICY } from '../../facts/people/causes.ts';
import { audited } from '../../facts/people/audit-rows.ts';
import { budgetNews } from '../subjects/budgets.ts';
import { answerAboutItem, isAboutItem } from '../subjects/queue-question.ts';
import { queueDue } from '../subjects/queue.ts';
import { expireEscalation } from './close.ts';
import { runQuestionOf } from '../../facts/runs/names.ts';
import { answerRun } from '../runs/answer.ts';
import { isOpen } from '../../facts/escalations/context.ts';
import { findEscalation, over } from '../../facts/escalations/find.ts';
import { answerCommand, escalationView, shortIdOf } from '../../facts/escalations/view.ts';

type Answer = Parameters<EscalationFleet['resolveEscalation']>[0];
type Reply = Outcome<EscalationView>;

/** Author of an answer: a person, or the timeout of the policy. */
export interface Voice {
  readonly cause: Cause;
  readonly name: string;
  readonly role: Role;
  readonly project: string | null;
}

/** Resolves the escalation. The answer is an event of each worker that the question is about, decided in the same transaction. */
export async function resolveEscalation(ctx: Context, answer: Answer, actor: Actor): Promise<Reply> {
  const by = voiceOf(ctx, actor);
  // Runs before the id is looked up: a part of an id may mean another question by now.
  const known = await ctx.store.readResponse(answer.requestId);
  if (known !== null)
    return repliedBefore(known, { answer, by, row: await ctx.store.readEscalation(known.escalationId) });
  const found = await findEscalation(ctx, answer.id, actor);
  if (found.kind === 'refused') return found;
  const { outcome, hints } = await ctx.store.transaction((tx) =>
    decideAnswer(ctx, tx, { found: found.row, answer, by }),
  );
  for (const hint of hints) hint();
  return outcome;
}

/** Makes the author from a person, or their bot. */
export function voiceOf(ctx: Context, actor: Actor): Voice {
  const { role, project } = actor;
  return { cause: causeOf(actor), name: readableName(ctx, actor), role, project };
}

interface Decided {
  readonly outcome: Reply;
  readonly hints: readonly (() => void)[];
}

/** Decides the answer inside a transaction that holds no question, or holds its workers too. */
export async function decideAnswer(
  ctx: Context,
  tx: StoreTransaction,
  { found, answer, by }: { found: EscalationRow; answer: Answer; by: Voice },
): Promise<Decided> {
  const ids = found.members.map(({ workerId }) => workerId).toSorted();
  for (const id of ids) await tx.lockWorker(id);
  const [row] = await tx.listEscalations({ idPart: found.id, limit: 1 });
  if (row === undefined)
    return refused({ kind: 'refused', code: 'not-found', message: 'The question no longer exists' });
  const known = await tx.readResponse(answer.requestId);
  if (known !== null) return { outcome: repliedBefore(known, { answer, by, row }), hints: [] };
  const problem = problemOf(row, answer) ?? lacksRole(row, by);
  if (problem !== null) return refused(problem);
  const decided = await decideOpen(ctx, tx, { row, answer, by });
  const { requestId, asked, option, text = null } = answer;
  const said = { requestId, escalationId: row.id, kind: 'answer', asked, option, text, until: null } as const;
  await tx.insertResponse({ ...said, actor: by.cause, reply: decided.outcome, at: ctx.clock.now() });
  return decided;
}

async function decideOpen(
  ctx: Context,
  tx: StoreTransaction,
  { row, answer, by }: { row: EscalationRow; answer: Answer; by: Voice },
): Promise<Decided> {
  if (!isOpen(row)) return refused(over(row));
  if (answer.asked !== row.asked) return refused(askedAgain(row, answer));
  const of = runQuestionOf(row);
  const tellOwner = of !== null ? tellRun : isAboutItem(row.question) ? tellQueue : tell;
  const heard = await tellOwner(ctx, tx, { row, answer, by });
  if (heard.accepted === 0) return refused(await staleAnswer(ctx, tx, { row, message: heard.message }));
  return { outcome: { kind: 'ok', value: await accept(ctx, tx, { row, answer, by }) }, hints: heard.hints };
}

function refused(outcome: Refusal): Decided {
  return { outcome, hints: [] };
}

/** Returns the earlier reply to the same answer. Only coordinators write replies, so this one is read unchecked. */
function repliedBefore(
  { escalationId, kind, asked, option, text, reply }: EscalationResponse,
  { answer, by, row }: { answer: Answer; by: Voice; row: EscalationRow | null },
): Reply {
  const isIt =
    (escalationId.startsWith(answer.id) || escalationId.endsWith(answer.id)) &&
    kind === 'answer' &&
    asked === answer.asked &&
    option === answer.option &&
    text === (answer.text ?? null);
  if (isIt && row?.id === escalationId && (by.project === null || by.project === row.projectId)) return reply as Reply;
  const message = `The request ${answer.requestId} was already used for another answer: give each answer its own id`;
  return { kind: 'refused', code: 'key-reused', message };
}

interface Heard {
  readonly accepted: number;
  readonly message: string;
  readonly hints: readonly (() => void)[];
}

/** Carries out the answer in the work queue: the worker that failed may be at another task, or gone. */
async function tellQueue(
  ctx: Context,
  tx: StoreTransaction,
  { row: { incidentId: item }, answer: { option }, by }: { row: EscalationRow; answer: Answer; by: Voice },
): Promise<Heard> {
  const now = ctx.clock.now();
  const problem = item === null ? 'its item is gone' : await answerAboutItem(tx, { item, option, now });
  if (problem !== null) return { accepted: 0, message: problem, hints: [] };
  await tx.schedule([queueDue(now)]);
  const action = option === 'item-retry' ? 'queue-retried' : 'queue-dropped';
  await tx.audit(audited({ at: now, by: by.cause, action, about: `item ${item}` }));
  return { accepted: 1, message: '', hints: [() => ctx.hints.due(now)] };
}

/** Gives the answer to the run that asks. */
async function tellRun(
  ctx: Context,
  tx: StoreTransaction,
  { row, answer, by }: { row: EscalationRow; answer: Answer; by: Voice },
): Promise<Heard> {
  const of = runQuestionOf(row);
  if (of === null) return { accepted: 0, message: 'its run is gone', hints: [] };
  const { option, text = '', requestId } = answer;
  const said = { ...of, option, words: text, parts: null, requestId, by: by.cause, name: by.name };
  const handled = await answerRun(ctx, tx, said);
  if ('kind' in handled) return { accepted: 0, message: handled.message, hints: [] };
  return { accepted: 1, message: '', hints: [handled.hint] };
}

/** Gives the answer to every worker that still waits, by their ids. */
async function tell(
  ctx: Context,
  tx: StoreTransaction,
  { row, answer, by }: { row: EscalationRow; answer: Answer; by: Voice },
): Promise<Heard> {
  const hints: (() => void)[] = [];
  let message = 'its worker is gone';
  const waiting = row.members.filter(({ over: isOver }) => !isOver);
  for (const { workerId, incidentId } of waiting.toSorted((one, other) => (one.workerId < other.workerId ? -1 : 1))) {
    if (incidentId === null) continue;
    const { option, text = null } = answer;
    const event = { kind: 'escalation-answered', incident: incidentId, option, text, by: by.name } as const;
    if (option === RAISE_BUDGET || option === GO_ON_TODAY) await tellBudgetNow(ctx, tx, workerId);
    const handled = await handleEvent(ctx, tx, { workerId, event, by: by.cause, requestId: answer.requestId });
    if (handled === null) continue;
    if (handled.isRepeated) message = `its worker already knows the request ${answer.requestId}`;
    else if (handled.reply.kind === 'refused') message = handled.reply.message;
    else hints.push(handled.hint);
  }
  return { accepted: hints.length, message, hints };
}

/** Has a worker look at its budgets, so that an answer counts from what is spent by now, and to the end of the present day. */
async function tellBudgetNow(ctx: Context, tx: StoreTransaction, workerId: string): Promise<void> {
  const row = await tx.lockWorker(workerId);
  const event = row === null ? null : await budgetNews(ctx, tx, row);
  if (row !== null && event !== null) await handleEvent(ctx, tx, { workerId, event, by: POLICY, locked: row });
}

async function accept(
  ctx: Context,
  tx: StoreTransaction,
  { row, answer, by }: { row: EscalationRow; answer: Answer; by: Voice },
): Promise<EscalationView> {
  const now = ctx.clock.now();
  // The workers' decisions may have changed the row: an answer that a machine carries out is not applied yet.
  const known = (await tx.lockEscalation(row.id)) ?? row;
  const { requestId, option, text = null } = answer;
  const resolved: EscalationRow = {
    ...known,
    status: 'resolved',
    resolution: { option, text, by: by.name, actor: by.cause, requestId, at: now },
    application: known.application === 'pending' ? 'pending' : 'applied',
    members: known.members.map((member) => ({ ...member, over: true })),
    updatedAt: now,
    resolvedAt: now,
  };
  await tx.saveEscalation(resolved);
  return escalationView(resolved);
}

/** Handles an answer that no worker of the escalation waits for. If all their incidents are over, the escalation has expired. */
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

/** Tells why an answer to an open question is invalid; null if it is valid. Nothing is kept: the caller may correct the answer. */
function problemOf(row: EscalationRow, { asked, option, text }: Answer): Refusal | null {
  if (!isOpen(row) || asked !== row.asked) return null;
  const { options } = row.question;
  const chosen = options.find(({ id }) => id === option);
  const names = options.map(({ id }) => `"${id}"`).join(', ');
  if (chosen === undefined)
    return { kind: 'refused', code: 'invalid', message: `There is no option "${option}"; there are: ${names}` };
  if (chosen.needsText && text === undefined)
    return { kind: 'refused', code: 'invalid', message: `The option "${option}" needs a text: add --text "…"` };
  return null;
}

/** Tells why this caller may not answer this question; null if the caller may. */
function lacksRole({ oncall }: EscalationRow, { name, role }: Voice): Refusal | null {
  const needed = oncall?.policy.answerRole ?? 'responder';
  if (RANK[role] >= RANK[needed]) return null;
  const message = `To answer questions of this project you need the role ${needed}; "${name}" has the role ${role}`;
  return { kind: 'refused', code: 'forbidden', message };
}

const RANK: Readonly<Record<Role, number>> = { worker: -1, viewer: 0, responder: 1, operator: 2, admin: 3 };

/** Refuses an answer to an earlier asking: shows the present question, and how to answer it. */
function askedAgain(row: EscalationRow, { option }: Answer): Refusal {
  const id = shortIdOf(row.id);
  const chosen = row.question.options.find((one) => one.id === option);
  const how = chosen === undefined ? '' : `, then answer with "${answerCommand(row, chosen)}"`;
  const message = `${id} was asked again since (asking ${row.asked}): ${row.title}. See "drover escalation show ${id}"${how}`;
  return { kind: 'refused', code: 'changed', message };
}
