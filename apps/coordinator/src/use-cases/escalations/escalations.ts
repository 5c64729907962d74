/** Lists and shows questions to people. */
import type { EscalationDetail, EscalationFleet, EscalationPage, EscalationView, Outcome } from '@drover/api';
import type { Context } from '../../context/context.ts';
import { findEscalation } from '../../facts/escalations/find.ts';
import { questionDelivery, escalationView, responseView } from '../../facts/escalations/view.ts';
import { refused } from '../../context/refused.ts';
import { readProjects } from '../../facts/workers/find.ts';
import type { Reach } from '../../facts/workers/find.ts';

/** Lists questions newest first; without `all` only those that wait for an answer. */
export async function listEscalations(
  { store }: Context,
  { worker, all, limit }: Parameters<EscalationFleet['listEscalations']>[0],
  by: Reach,
): Promise<readonly EscalationView[]> {
  const who = worker === undefined ? {} : { workerName: worker };
  const where = by.project === null ? {} : { projectId: by.project };
  return (await store.listEscalations({ limit, ...who, ...where, ...(all ? {} : { open: true }) })).map(escalationView);
}

/** Reads a page of a long list, newest first. */
export async function listEscalationPage(
  ctx: Context,
  { status, limit, project, worker, after }: EscalationPage,
  by: Reach,
): Promise<Outcome<EscalationView[]>> {
  const { projects } = await readProjects(ctx, by);
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

/** Shows one escalation by its id, or enough of it, with the responses to it. */
export async function showEscalation(ctx: Context, id: string, by: Reach): Promise<Outcome<EscalationDetail>> {
  const found = await findEscalation(ctx, id, by);
  if (found.kind === 'refused') return found;
  const { store } = ctx;
  const { id: whole } = found.row;
  const [said, shown, places, people] = await Promise.all([
    store.listResponses(whole),
    store.listDeliveries(whole),
    store.listPlaces(),
    store.listPeople(),
  ]);
  const deliveries = shown.map((one) => questionDelivery(one, { row: found.row, places, people }));
  return { kind: 'ok', value: { ...escalationView(found.row), responses: said.map(responseView), deliveries } };
}
