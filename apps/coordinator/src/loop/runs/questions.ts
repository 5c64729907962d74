/** Asks people the questions of runs, as escalations, and closes them. */
import { beginOncall } from '@drover/core';
import type { RunEvent, RunQuestion } from '@drover/core';
import type { EscalationContext } from '@drover/api';
import type { Cause, EscalationRow, Project, RunRow, StoreTransaction } from '@drover/store';
import { redactorOf } from '../../context/context.ts';
import type { Context } from '../../context/context.ts';
import { isOpen } from '../../facts/escalations/context.ts';
import { headroomLines } from '../../facts/runs/headroom.ts';
import { questionKey, runName } from '../../facts/runs/names.ts';
import { Callable } from '../escalations/callable.ts';
import { armOncall, oncallPolicyOf } from '../escalations/oncall.ts';
import { unanswered } from '../escalations/unanswered.ts';

interface Asking {
  readonly row: RunRow;
  readonly project: Project;
  readonly question: RunQuestion;
}

/** Opens an escalation for the question, in the transaction of the run. */
export async function askOfRun(ctx: Context, tx: StoreTransaction, asking: Asking): Promise<void> {
  const { row, project, question } = asking;
  const now = ctx.clock.now();
  const context = contextOf(asking);
  const left = await headroomLines(ctx, tx, { run: row, questions: [question] });
  // People may read a card hours later, when "in 2 h" and "as of now" are wrong: the line names its date.
  const dated = left.map((line) => `On ${timeWords(now)}: ${line}`);
  const told = { ...asking, question: { ...question, text: [question.text, ...dated].join('\n') } };
  const asked = redactorOf(ctx).value(escalationOf(told, { id: ctx.ids.uuid(), context, now }));
  const opened: EscalationRow = { ...asked, oncall: beginOncall(oncallPolicyOf(project), now, 0) };
  if ((await tx.openEscalation(opened)) === 'repeated') return;
  await armOncall(ctx, tx, { row: opened, isNew: true, callable: new Callable(tx) });
  ctx.hints.events(row.id);
}

function timeWords(now: number): string {
  return `${new Date(now).toISOString().slice(0, 16).replace('T', ', ')} UTC`;
}

function escalationOf(
  { row, project, question }: Asking,
  { id, context, now }: { readonly id: string; readonly context: EscalationContext; readonly now: number },
): EscalationRow {
  // A plan is edited on the run's page, in a terminal or by the API: a button has no room for it.
  const options = question.options
    .filter(({ option }) => option !== 'edit')
    .map(({ option, text }) => ({ id: option, label: text, needsText: option === 'revise' || option === 'reply' }));
  const title = `${question.item}: ${firstLine(question.text)}`;
  const body = bodyOf(row, question);
  return {
    id,
    dedupeKey: questionKey(row.id, question.id),
    incidentId: null,
    workerId: row.id,
    workerName: runName(row),
    projectId: project.id,
    incarnation: null,
    severity: 'warning',
    title,
    body,
    context,
    question: { kind: 'choice', title, body, options },
    ...unanswered(now),
  };
}

/** Characters of a report that a card shows. */
const REPORT_SHOWN = 2_000;

function bodyOf({ goal }: RunRow, { text, parts, report, commit }: RunQuestion): string {
  const lines = [text, '', `Goal: ${goal}`];
  parts?.forEach(({ title, paths, check = [] }, at) => {
    lines.push(`${at + 1}. ${title} (${paths.join(', ')})`, ...check.map((one) => `   checked by: ${one}`));
  });
  if (report !== '') lines.push('', report.slice(0, REPORT_SHOWN));
  if (commit !== null) lines.push(`Commit: ${commit.slice(0, 12)}`);
  return lines.join('\n');
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}

function contextOf({ row, project, question }: Asking): EscalationContext {
  return {
    worker: runName(row),
    project: project.name,
    machine: row.machineId,
    machineState: 'connected',
    profile: '',
    account: '',
    status: 'idle',
    note: row.state.why,
    lastActivityAt: row.updatedAt,
    prompt: row.goal.slice(0, 200),
    worktree: '',
    code: 'AGENT_BLOCKED',
    errorId: null,
    attempts: 0,
    tried: [],
    history: [],
    pane: [],
    gitStatus: [],
    git: null,
    remediation: [],
    fingerprint: null,
    storm: null,
    run: { id: row.id, question: question.id, about: question.about, commit: question.commit },
  };
}

interface Closing {
  readonly before: RunRow;
  readonly after: RunRow;
  readonly event: RunEvent;
  readonly by: Cause;
  readonly now: number;
}

/** Closes the escalations of questions that the run no longer has. */
export async function closeQuestions(tx: StoreTransaction, { before, after, event, by, now }: Closing): Promise<void> {
  const left = new Set(after.state.questions.map(({ id }) => id));
  for (const { id: question } of before.state.questions) {
    if (left.has(question)) continue;
    const [found] = await tx.listEscalations({ dedupeKey: questionKey(before.id, question), open: true, limit: 1 });
    const known = found === undefined ? null : await tx.lockEscalation(found.id);
    if (known === null || !isOpen(known)) continue;
    const isAnswer = event.kind === 'answered' && event.question === question;
    const resolution = isAnswer
      ? { option: event.option, text: event.words || null, by: event.by, actor: by, requestId: known.id, at: now }
      : null;
    await tx.saveEscalation({
      ...known,
      status: isAnswer ? 'resolved' : 'cancelled',
      resolution,
      application: isAnswer ? 'applied' : null,
      updatedAt: now,
      resolvedAt: now,
    });
  }
}
