/** Opens escalations, because a person is needed: one for an incident, and one for a storm of them. */
import { isDeepStrictEqual } from 'node:util';
import { askOncallAnew, beginOncall, ERRORS, isAsGrave, STORM_SETTLES_MS } from '@drover/core';
import type { ErrorCode, Policy, Question, TrustKind } from '@drover/core';
import type { EscalationContext } from '@drover/api';
import type { EscalationMember, EscalationRow, StoreTransaction } from '@drover/store';
import { accountKeyOf, accountTitle } from '../../context/account-key.ts';
import { judged, redactorOf } from '../../context/context.ts';
import type { Context } from '../../context/context.ts';
import { bundleOf } from './bundle.ts';
import type { Callable } from './callable.ts';
import { decisionNow, trustDue } from '../subjects/trust.ts';
import { evidenceQuery } from '../subjects/evidence.ts';
import { armOncall, oncallPolicyOf } from './oncall.ts';
import { unanswered } from './unanswered.ts';
import { contextOf, isOpen } from '../../facts/escalations/context.ts';
import { policyInForce } from '../../facts/policies/in-force.ts';
import type { About, RecordOf, Saving } from '../about.ts';
import { questionOf } from '../incident-log.ts';
import type { Told } from '../incident-log.ts';

/** Open escalations that are read to find a storm. */
const STORM_READ_MAX = 500;

/** A question of a decision. `told`: the facts of its incident at that time. `id`: its own, if the question is new. */
interface Asking {
  readonly about: Saving;
  readonly entry: RecordOf<'escalated'>;
  readonly told: Told;
  readonly id: string;
}

/** Opens an escalation, raises the open one of the same incident, or folds it into a storm. Runs after the decision is saved. */
export async function openEscalation(
  ctx: Context,
  tx: StoreTransaction,
  { about, entry, told, id }: Asking,
): Promise<void> {
  const { history, errorId } = told;
  const account = accountKeyOf(ctx, about.row);
  const shown = accountTitle(account, about.machine === null ? [] : [about.machine]);
  const { trust } = entry.question;
  if (trust !== undefined && (await decisionNow(tx, { projectId: about.project.id, kind: trust })) !== undefined)
    about.changes.schedule(trustDue(about.row.id, about.now));
  const storm = trust === undefined ? stormOf(about, entry.code, { account, shown }) : trustStorm(about, entry, trust);
  const { leases } = judged(ctx);
  const known = { code: entry.code, errorId, account: shown, storm: storm?.key ?? null };
  const redactor = redactorOf(ctx);
  const context = bundleOf(about, { ...known, history, leases, redactor });
  const asked = redactor.value(rowOf(about, entry, { id, context }));
  const settlesMs = storm === null || trust !== undefined ? 0 : STORM_SETTLES_MS;
  const row = { ...asked, oncall: beginOncall(oncallPolicyOf(about.project), about.now, settlesMs) };
  const { callable } = about;
  const same = await questionOf(tx, entry.incident, told);
  if (same !== null) return repeat(ctx, tx, { id: same.id, row, callable });
  const limits = policyInForce(ctx, about.project, about.row.name).policy.storm;
  if (storm !== null && (await fold(ctx, tx, { row, storm, limits, callable }))) return;
  if (told.isNew) await tx.addEscalation(row);
  else if ((await tx.openEscalation(row)) === 'repeated') return;
  await armOncall(ctx, tx, { row, isNew: true, callable });
  about.changes.ask(evidenceQuery(about, { id, code: entry.code }), about.now);
}

function rowOf(
  { row, after, project, now }: About,
  { incident, code, question }: RecordOf<'escalated'>,
  { id, context }: { id: string; context: EscalationContext },
): EscalationRow {
  return {
    id,
    dedupeKey: `incident:${incident}`,
    incidentId: incident,
    workerId: row.id,
    workerName: row.name,
    projectId: project.id,
    incarnation: after.session.pane.kind === 'absent' ? null : after.session.pane.incarnation,
    severity: oncallPolicyOf(project).severity[code] ?? ERRORS[code].severity,
    title: question.title,
    body: question.body,
    context,
    question,
    ...unanswered(now),
    members: [{ workerId: row.id, workerName: row.name, incidentId: incident, over: false }],
  };
}

/** Repeats a question. The newest question of an incident counts; a storm keeps its own. People are called again if the question changed. */
async function repeat(
  ctx: Context,
  tx: StoreTransaction,
  { id, row, callable }: { id: string; row: EscalationRow; callable: Callable },
): Promise<void> {
  const known = await tx.lockEscalation(id);
  if (known === null) return;
  const { title, body, question, incarnation, updatedAt } = row;
  const pane = contextOf(row).pane.length > 0 ? contextOf(row).pane : contextOf(known).pane;
  const shown = { ...contextOf(row), pane, gitStatus: contextOf(known).gitStatus };
  const newest = known.members.length > 1 ? {} : { title, body, question, context: shown, incarnation };
  const asked = known.members.length > 1 || isSameAsking(known, row) ? known.asked : known.asked + 1;
  const isGraver = !isAsGrave(known.severity, row.severity);
  const severity = isGraver ? row.severity : known.severity;
  const before = known.oncall ?? row.oncall;
  const isAnew = asked !== known.asked || isGraver;
  const oncall = before !== null && isAnew ? askOncallAnew(before, updatedAt) : before;
  const occurrences = known.occurrences + 1;
  const next = { ...known, ...newest, asked, severity, oncall, occurrences, updatedAt };
  await tx.saveEscalation(next);
  await armOncall(ctx, tx, { row: next, isNew: false, callable });
}

/** Tells whether a reader of one question has seen the other (X4): the same question about the same screen. */
function isSameAsking(one: EscalationRow, other: EscalationRow): boolean {
  return isDeepStrictEqual(seenOf(one), seenOf(other));
}

function seenOf({ question, incarnation, context }: EscalationRow): unknown {
  return [question, incarnation, contextOf({ context }).fingerprint];
}

interface Storm {
  readonly key: string;
  /** Limit of questions that stay apart, and its window in milliseconds; absent: the policy's. */
  readonly limits?: Pick<Policy['storm'], 'workersMax' | 'windowMs'>;
  readonly title: (workers: number) => string;
}

/** Asks once for all workers of the project: the question is a storm from the first worker on. */
function trustStorm({ project }: About, { question: { title } }: RecordOf<'escalated'>, kind: TrustKind): Storm {
  const limits = { workersMax: 0, windowMs: Number.POSITIVE_INFINITY };
  return {
    key: `storm:trust:${project.id}:${kind}`,
    limits,
    title: (workers) => (workers === 1 ? title : `${workers} workers of ${project.name}: ${title}`),
  };
}

const LIMITS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['RATE_LIMITED', 'USAGE_LIMIT']);

/** Names the trouble that many workers may share; null: the trouble is this worker's alone. */
function stormOf(
  { row, machine }: About,
  code: ErrorCode,
  { account, shown }: { account: string; shown: string },
): Storm | null {
  if (code === 'MACHINE_LOST') {
    const name = machine?.name ?? row.machineId;
    if (machine?.ssh?.state?.kind === 'key-changed') {
      // A key belongs to its host, whatever runs there.
      const limits = { workersMax: 1, windowMs: Number.POSITIVE_INFINITY };
      const about = `machine "${name}" shows a different key than before: see "drover machine trust ${name}"`;
      return { key: `storm:machine:${row.machineId}`, limits, title: (count) => `${about}; ${count} workers wait` };
    }
    return { key: `storm:machine:${row.machineId}`, title: (count) => `${count} workers on machine "${name}" lost` };
  }
  if (!LIMITS.has(code)) return null;
  return {
    key: `storm:account:${account}`,
    title: (count) => `${count} workers of the account ${shown} wait for its limit`,
  };
}

/** @returns false when there is no storm (yet). Counts in one transaction at a time, so that none of many at once is missed. */
async function fold(
  ctx: Context,
  tx: StoreTransaction,
  { row, storm, limits, callable }: { row: EscalationRow; storm: Storm; limits: Policy['storm']; callable: Callable },
): Promise<boolean> {
  await tx.lockName(storm.key);
  const [running] = await tx.listEscalations({ dedupeKey: storm.key, open: true, limit: 1 });
  if (running !== undefined) {
    const known = await tx.lockEscalation(running.id);
    if (known === null || !isOpen(known)) return false;
    const members = [...known.members.filter(({ workerId }) => workerId !== row.workerId), ...row.members];
    const raised = { members, title: storm.title(members.length), occurrences: known.occurrences + 1 };
    await tx.saveEscalation({ ...known, ...raised, updatedAt: row.updatedAt });
    return true;
  }
  const { workersMax, windowMs } = storm.limits ?? limits;
  const since = Math.max(0, row.createdAt - windowMs);
  const recent = (await tx.listEscalations({ open: true, since, limit: STORM_READ_MAX })).filter(
    ({ context }) => stormKeyOf(context) === storm.key,
  );
  if (recent.length < workersMax) return false;
  const members = [...(await takeIn(tx, recent, row)), ...row.members];
  const questions = [row.question, ...recent.map(({ question }) => question)];
  const opened: EscalationRow = {
    ...row,
    dedupeKey: storm.key,
    incidentId: null,
    title: storm.title(members.length),
    question: common(questions),
    members,
    occurrences: members.length,
  };
  if ((await tx.openEscalation(opened)) === 'opened') await armOncall(ctx, tx, { row: opened, isNew: true, callable });
  return true;
}

function stormKeyOf(context: unknown): unknown {
  return typeof context === 'object' && context !== null && 'storm' in context ? context.storm : null;
}

/** Makes escalations that were opened alone members of a storm. @returns the members. */
async function takeIn(
  tx: StoreTransaction,
  recent: readonly EscalationRow[],
  into: EscalationRow,
): Promise<readonly EscalationMember[]> {
  const members: EscalationMember[] = [];
  for (const { id } of recent.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const known = await tx.lockEscalation(id);
    if (known === null || (known.status !== 'open' && known.status !== 'acked')) continue;
    members.push(...known.members);
    const body = `${known.body}\n\nIt is now part of the escalation ${into.id}.`;
    await tx.saveEscalation({
      ...known,
      status: 'cancelled',
      body,
      updatedAt: into.updatedAt,
      resolvedAt: into.updatedAt,
    });
  }
  return members;
}

/** Keeps only options that answer every one of them. */
function common([first, ...others]: readonly Question[]): Question {
  const none: Question = { kind: 'choice', title: '', body: '', options: [] };
  if (first === undefined) return none;
  const isCommon = (id: string): boolean => others.every(({ options }) => options.some((option) => option.id === id));
  return { ...first, options: first.options.filter(({ id }) => isCommon(id)) };
}
