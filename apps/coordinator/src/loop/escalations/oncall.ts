/** Arms the moments at which `core/oncall` calls people about a question. */
import { DEFAULT_ONCALL, oncallAt, reopenOncall, silencedUntil } from '@drover/core';
import type { Oncall, OncallAsked, OncallPolicy, Reach } from '@drover/core';
import type { DueWork, EscalationRow, Project, SilenceRow, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { callPeople } from './call.ts';
import type { Callable } from './callable.ts';
import { contextOf } from '../../facts/escalations/context.ts';

/** Open questions that the patrol looks after in one round. */
const CARED_MAX = 1_000;

/** Returns the policy of a project for new questions. */
export function oncallPolicyOf({ config }: Project): OncallPolicy {
  return config.escalation ?? DEFAULT_ONCALL;
}

/** Returns the progress of the calls. A row that nobody was called about yet counts as a new question. */
export function oncallOf(
  { oncall }: EscalationRow,
  { now, project }: { now: number; project: Project | null },
): Oncall {
  return oncall ?? reopenOncall({ policy: project === null ? DEFAULT_ONCALL : oncallPolicyOf(project) }, now);
}

/**
 * Arms the next moment. Makes calls that are already due here, so that places must show a question from the commit that asks it (X6).
 *
 * @param asked.isNew Asked in this transaction, so that no place shows it yet.
 */
export async function armOncall(
  ctx: Context,
  tx: StoreTransaction,
  { row, isNew, callable }: { readonly row: EscalationRow; readonly isNew: boolean; readonly callable: Callable },
): Promise<void> {
  if (row.oncall === null) return;
  const now = ctx.clock.now();
  const moment = oncallAt(row.oncall, askedOf(row, { silences: await callable.silences(now), now }), now);
  const { acts, oncall } = moment;
  const calls = acts.filter((act) => act.kind === 'call');
  const isAll = calls.length === acts.length;
  if (isAll) {
    // A call that is held back is noted, too.
    if (oncall !== row.oncall) await tx.saveOncall(row.id, oncall);
    for (const call of calls)
      await callPeople(ctx, tx, { row, call, callable, deliveries: isNew ? [] : await tx.listDeliveries(row.id) });
  }
  // Nothing due: an armed moment finds nothing to do.
  const dueAt = isAll ? moment.dueAt : now;
  if (dueAt === null) return;
  await tx.schedule([escalationDue(row.id, dueAt)]);
  ctx.hints.due(dueAt);
}

/** Builds the row of due work. */
export function escalationDue(id: string, dueAt: number): DueWork {
  return { kind: 'escalation', key: id, dueAt, payload: { escalationId: id } };
}

/** Reads from the row what the plan needs. */
export function askedOf(
  row: EscalationRow,
  { silences, now, reach }: { silences: readonly SilenceRow[]; now: number; reach?: Reach },
): OncallAsked {
  const { status, severity, projectId, members } = row;
  const { machine, code } = contextOf(row);
  const workers = members.filter(({ over }) => !over).map(({ workerName }) => workerName);
  const under = silences.map(({ projectId: project, ...silence }) => ({ ...silence, project }));
  return {
    status: status === 'open' || status === 'acked' ? status : 'over',
    severity,
    silencedUntil: silencedUntil(under, { project: projectId, workers, machine, code }, now),
    ...(reach !== undefined && { reach }),
  };
}

/** Asks again about open questions of restored backups, too (X6); armed questions stay as they are. */
export async function careForQuestions(ctx: Context, tx: StoreTransaction): Promise<void> {
  const now = ctx.clock.now();
  const silences = await tx.listSilences(now);
  const open = await tx.listEscalations({ open: true, limit: CARED_MAX });
  const due = open.flatMap((row) => {
    const dueAt = row.oncall === null ? now : oncallAt(row.oncall, askedOf(row, { silences, now }), now).dueAt;
    return dueAt === null ? [] : [escalationDue(row.id, dueAt)];
  });
  await tx.schedule(due);
}

/** Releases calls after a silence ended early: held calls are due now, unless quiet hours hold them. Call the due hint after the commit. */
export async function releaseHeld(ctx: Context, tx: StoreTransaction): Promise<void> {
  const now = ctx.clock.now();
  for (const { id, oncall: before } of await tx.listEscalations({ open: true, limit: CARED_MAX })) {
    if (before === null || before.heldSince === null) continue;
    const row = await tx.lockEscalation(id);
    if (row === null || row.oncall === null || row.oncall.nextStepAt === null) continue;
    const oncall = { ...row.oncall, nextStepAt: Math.min(now, row.oncall.nextStepAt) };
    await tx.saveOncall(id, oncall);
    await tx.schedule([escalationDue(id, now)]);
  }
}
