/** The use cases of questions to people: list, show, acknowledge. */
import type { Actor, EscalationFleet, EscalationPage, EscalationView, Outcome } from '@drover/api';
import { audited } from '../people/audit/rows.ts';
import { causeOf } from '../people/causes.ts';
import type { Context } from '../context.ts';
import { isOpen } from './close.ts';
import { findEscalation, over } from './find.ts';
import { escalationView } from './view.ts';
import { refused } from '../refused.ts';
import { readRoster } from '../workers/find.ts';
import type { Reach } from '../workers/find.ts';

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

/** A page of a long list, newest first. */
export async function listEscalationPage(
  ctx: Context,
  { status, limit, project, worker, after }: EscalationPage,
  by: Reach,
): Promise<Outcome<EscalationView[]>> {
  const { projects } = await readRoster(ctx, by);
  const within = project === undefined ? by.project : projects.find(({ name }) => name === project)?.id;
  if (within === undefined) {
    const names = projects.map(({ name }) => name).join(', ') || 'none yet';
    return refused('not-found', `There is no project "${project}"; there are: ${names}`);
  }
  const rows = await ctx.store.listEscalations({
    status,
    limit,
    ...(within !== null && { projectId: within }),
    ...(worker !== undefined && { workerName: worker }),
    ...(after !== undefined && { after }),
  });
  return { kind: 'ok', value: rows.map(escalationView) };
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
