/** Lets people begin and end silences, with a row of the audit for each. */
import type { Actor, OncallFleet, Outcome, Refusal, SilenceView } from '@drover/api';
import type { SilenceRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { releaseHeld } from '../../loop/escalations/oncall.ts';
import { audited } from '../../facts/people/audit-rows.ts';
import { causeOf, tellCause } from '../../facts/people/causes.ts';
import { refused } from '../../context/refused.ts';
import { findByName, readRoster } from '../../facts/workers/find.ts';
import type { Roster } from '../../facts/workers/find.ts';

/** Silences at one time: each call about a question reads them all. */
export const SILENCES_MAX = 200;
/** Characters of the end of an id that are shown. */
const SHORT_ID = 8;

type Input = Parameters<OncallFleet['silence']>[0];

/**
 * Begins a silence. Refuses a name that means nothing, because it would silence nothing. A caller bound to a project silences only that
 * project.
 */
export async function beginSilence(ctx: Context, input: Input, by: Actor): Promise<Outcome<SilenceView>> {
  const { worker, machine, code, project } = input;
  const isBound = by.project !== null;
  if (!isBound && worker === undefined && machine === undefined && code === undefined && project === undefined)
    return refused('invalid', 'The questions to silence are missing: give --project, --worker, --machine or --code');
  const roster = await readRoster(ctx, by);
  const known = project === undefined ? null : (roster.projects.find(({ name }) => name === project) ?? 'none');
  if (known === 'none')
    return refused('not-found', `There is no project "${project}"; there are: ${namesOf(roster.projects)}`);
  const found = worker === undefined ? null : findByName(roster, worker);
  if (found?.kind === 'refused') return found;
  if (machine !== undefined && !roster.machines.some(({ name }) => name === machine))
    return refused('not-found', `There is no machine "${machine}"; there are: ${namesOf(roster.machines)}`);
  const now = ctx.clock.now();
  const row: SilenceRow = {
    id: input.requestId ?? ctx.ids.uuid(),
    projectId: known?.id ?? found?.row.projectId ?? by.project,
    worker: worker ?? null,
    machine: machine ?? null,
    code: code ?? null,
    reason: input.reason,
    until: now + input.forMs,
    actor: causeOf(by),
    createdAt: now,
  };
  const begun = await ctx.store.transaction(async (tx): Promise<SilenceRow | null> => {
    await tx.lockName('silences');
    const all = await tx.listSilences(now);
    // X3: a request repeated after a lost answer gets the silence that was begun.
    const known = all.find(({ id }) => id === row.id);
    if (known !== undefined) return known;
    if (all.length >= SILENCES_MAX) return null;
    await tx.insertSilence(row);
    const { until } = row;
    const details = { project, worker, machine, code, until };
    await tx.audit(audited({ at: now, by: row.actor, action: 'silence-begun', about: `silence ${row.id}`, details }));
    return row;
  });
  if (begun === null)
    return refused('invalid', `There are already ${SILENCES_MAX} silences: end one first; "drover oncall" lists them`);
  return { kind: 'ok', value: silenceView(begun, roster) };
}

/** Changes the end or the reason. Calls that an earlier end held back are made then. */
export async function editSilence(
  ctx: Context,
  { id, forMs, reason }: Parameters<OncallFleet['editSilence']>[0],
  by: Actor,
): Promise<Outcome<SilenceView>> {
  const found = await findSilence(ctx, id, by);
  if (found.kind === 'refused') return found;
  const { row, roster } = found;
  const at = ctx.clock.now();
  const changed = { ...row, until: forMs === undefined ? row.until : at + forMs, reason: reason ?? row.reason };
  const isThere = await ctx.store.transaction(async (tx) => {
    if (!(await tx.saveSilence(changed))) return false;
    if (changed.until < row.until) await releaseHeld(ctx, tx);
    const details = { until: changed.until, reason: changed.reason };
    const about = `silence ${row.id}`;
    await tx.audit(audited({ at, by: causeOf(by), action: 'silence-changed', about, details }));
    return true;
  });
  ctx.hints.due(at);
  return isThere ? { kind: 'ok', value: silenceView(changed, roster) } : noSilence(id);
}

/** Ends a silence. Calls that it held back are made now. */
export async function endSilence(ctx: Context, id: string, by: Actor): Promise<Outcome<SilenceView>> {
  const found = await findSilence(ctx, id, by);
  if (found.kind === 'refused') return found;
  const { row, roster } = found;
  await ctx.store.transaction(async (tx) => {
    if (!(await tx.deleteSilence(row.id))) return;
    await releaseHeld(ctx, tx);
    const at = ctx.clock.now();
    await tx.audit(audited({ at, by: causeOf(by), action: 'silence-ended', about: `silence ${row.id}` }));
  });
  ctx.hints.due(ctx.clock.now());
  return { kind: 'ok', value: silenceView(row, roster) };
}

async function findSilence(
  ctx: Context,
  id: string,
  by: Actor,
): Promise<{ readonly kind: 'found'; readonly row: SilenceRow; readonly roster: Roster } | Refusal> {
  const roster = await readRoster(ctx, by);
  const rows = (await ctx.store.listSilences(ctx.clock.now())).filter(
    (one) => (one.id.startsWith(id) || one.id.endsWith(id)) && (by.project === null || one.projectId === by.project),
  );
  const [row] = rows;
  if (row === undefined) return noSilence(id);
  if (rows.length > 1) return refused('invalid', `"${id}" matches ${rows.length} silences: give more of the id`);
  return { kind: 'found', row, roster };
}

function noSilence(id: string): Refusal {
  return refused('not-found', `There is no silence "${id}": "drover oncall" lists them`);
}

/** Shows a silence to people. */
export function silenceView(row: SilenceRow, { projects }: Pick<Roster, 'projects'>): SilenceView {
  const { id, projectId, worker, machine, code, reason, until, actor } = row;
  const project = projectId === null ? null : (projects.find((one) => one.id === projectId)?.name ?? projectId);
  return {
    id,
    shortId: id.slice(-SHORT_ID),
    project,
    worker,
    machine,
    code,
    reason,
    until,
    by: tellCause(actor) ?? '',
  };
}

function namesOf(of: readonly { readonly name: string }[]): string {
  return of.map(({ name }) => name).join(', ') || 'none yet';
}
