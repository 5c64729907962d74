/**
 * Runs due work of a question, in one transaction with the question. X7: an answer or acknowledgement leaves nothing due. X9: a default
 * answer is handled like a person's.
 */
import { defaultOption, oncallAt } from '@drover/core';
import type { DefaultAnswer, OncallAct } from '@drover/core';
import type { EscalationRow, SilenceRow, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { POLICY } from '../../facts/people/causes.ts';
import { decideAnswer } from '../../loop/escalations/answer.ts';
import type { Voice } from '../../loop/escalations/answer.ts';
import { callPeople } from '../../loop/escalations/call.ts';
import { Callable } from '../../loop/escalations/callable.ts';
import { isOpen } from '../../facts/escalations/context.ts';
import { reachOf } from '../../loop/escalations/reach.ts';
import { shortIdOf } from '../../facts/escalations/view.ts';
import { askedOf, escalationDue, oncallOf } from '../../loop/escalations/oncall.ts';

/** Author of default answers. The timeout may answer everything, because its answer is the project's own policy. */
const TIMEOUT: Voice = { cause: POLICY, name: 'the timeout', role: 'admin', project: null };

/**
 * Locks the rows that a due question will change: for a default answer its workers and then the question, as an answer does; otherwise
 * the question alone.
 */
export async function lockAsked(ctx: Context, tx: StoreTransaction, id: string): Promise<void> {
  const [row] = await tx.listEscalations({ idPart: id, limit: 1 });
  if (row === undefined) return;
  const now = ctx.clock.now();
  if (answerDue(row, { silences: await tx.listSilences(now), now }) !== null)
    for (const { workerId } of row.members.toSorted((one, other) => (one.workerId < other.workerId ? -1 : 1)))
      await tx.lockWorker(workerId);
  await tx.lockEscalation(id);
}

function answerDue(
  row: EscalationRow,
  when: { silences: readonly SilenceRow[]; now: number },
): Exclude<DefaultAnswer, 'wait'> | null {
  if (row.oncall === null) return null;
  const act = oncallAt(row.oncall, askedOf(row, when), when.now).acts.find(({ kind }) => kind === 'answer');
  return act?.kind === 'answer' ? act.answer : null;
}

/** Runs the due work of one question. @returns hints for after the commit; null: nothing was due. */
export async function escalationWoke(
  ctx: Context,
  tx: StoreTransaction,
  id: string,
): Promise<{ readonly hint: () => void } | null> {
  const row = await tx.lockEscalation(id);
  if (row === null || !isOpen(row)) return null;
  const now = ctx.clock.now();
  const known = oncallOf(row, { now, project: await tx.readProject(row.projectId) });
  const reach = await reachOf(tx, { ...row, oncall: known });
  const asked = askedOf(row, { silences: await tx.listSilences(now), now, reach });
  const { oncall, acts, dueAt } = oncallAt(known, asked, now);
  await tx.saveOncall(id, oncall);
  const hints: (() => void)[] = [];
  for (const act of acts) hints.push(...(await doAct(ctx, tx, { row: { ...row, oncall }, act })));
  if (dueAt !== null) {
    await tx.schedule([escalationDue(id, dueAt)]);
    hints.push(() => ctx.hints.due(dueAt));
  }
  return { hint: () => hints.forEach((hint) => hint()) };
}

async function doAct(
  ctx: Context,
  tx: StoreTransaction,
  { row, act }: { row: EscalationRow; act: OncallAct },
): Promise<readonly (() => void)[]> {
  switch (act.kind) {
    case 'call':
      await callPeople(ctx, tx, {
        row,
        call: act,
        callable: new Callable(tx),
        deliveries: await tx.listDeliveries(row.id),
      });
      return act.why === 'alarm' ? [() => ctx.log('error', unreached(row))] : [];
    case 'reopen':
      await tx.saveEscalation({ ...row, status: 'open', ackedBy: null, updatedAt: ctx.clock.now() });
      return [];
    case 'answer':
      return answerByDefault(ctx, tx, { row, answer: act.answer });
    default:
      return act satisfies never;
  }
}

/** Describes a question that reached nobody (X6). */
function unreached({ id, workerName, title }: EscalationRow): string {
  return `No place shows the question ${shortIdOf(id)} of ${workerName} ("${title}"), so Drover notifies every other place: see "drover doctor"`;
}

/** Answers by default (X9). If the question has no such answer, it says so and waits on for a person. */
async function answerByDefault(
  ctx: Context,
  tx: StoreTransaction,
  { row, answer }: { row: EscalationRow; answer: Exclude<DefaultAnswer, 'wait'> },
): Promise<readonly (() => void)[]> {
  const option = defaultOption(row.question, answer);
  const requestId = ctx.ids.uuid();
  if (option !== null) {
    const given = { id: row.id, option, asked: row.asked, requestId };
    return (await decideAnswer(ctx, tx, { found: row, answer: given, by: TIMEOUT })).hints;
  }
  const text = `Nobody answered in time, and the question has no option "${answer}": it waits for a person`;
  const said = { requestId, escalationId: row.id, kind: 'comment', asked: row.asked, text } as const;
  await tx.insertResponse({ ...said, option: null, until: null, actor: POLICY, reply: null, at: ctx.clock.now() });
  await tx.saveEscalation({ ...row, updatedAt: ctx.clock.now() });
  return [];
}
