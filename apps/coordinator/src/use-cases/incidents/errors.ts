/** Shows people the error log. */
import { remediationOf } from '@drover/core';
import type { ErrorDetail, ErrorView, IncidentFleet, Outcome } from '@drover/api';
import type { ListedError } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { HISTORY_LINES } from '../../loop/escalations/bundle.ts';
import { shortIdOf } from '../../facts/escalations/view.ts';
import { refused } from '../../context/refused.ts';
import { ownWorkers } from '../../facts/workers/find.ts';
import type { Reach } from '../../facts/workers/find.ts';

/** Errors that are named when they share a part of an id. */
const SAME_MAX = 20;

/** Lists errors newest first; without `all` only open ones. */
export async function listErrors(
  ctx: Context,
  { worker, code, sinceMs, all, limit, after }: Parameters<IncidentFleet['listErrors']>[0],
  by: Reach,
): Promise<readonly ErrorView[]> {
  const { store, clock } = ctx;
  const rows = await store.listErrors({
    limit,
    ...(after !== undefined && { after }),
    ...(await ownWorkers(ctx, by)),
    ...(worker === undefined ? {} : { workerName: worker }),
    ...(code === undefined ? {} : { code }),
    ...(sinceMs === undefined ? {} : { since: clock.now() - sinceMs }),
    ...(all ? {} : { open: true }),
  });
  return rows.map(errorView);
}

/** Shows an error. Refuses with `not-found`, and with `invalid` where several errors have this part of an id. */
export async function showError(ctx: Context, part: string, by: Reach): Promise<Outcome<ErrorDetail>> {
  const { store } = ctx;
  const rows = await store.listErrors({ idPart: part, limit: SAME_MAX, ...(await ownWorkers(ctx, by)) });
  const [row] = rows;
  if (row === undefined) return refused('not-found', `There is no error "${part}": see "drover report errors --all"`);
  if (rows.length > 1)
    return refused('invalid', `"${part}" matches ${rows.length} errors: ${rows.map(({ id }) => id).join(', ')}`);
  const { evidence, incidentId, worker } = row;
  const [episodes, [asked]] =
    incidentId === null
      ? [[], []]
      : await Promise.all([
          store.listEpisodes({ incidentId, limit: HISTORY_LINES }),
          store.listEscalations({ incidentId, open: true, limit: 1 }),
        ]);
  const commands = [
    ...(asked === undefined ? [] : [`drover escalation show ${shortIdOf(asked.id)}`]),
    ...(worker === null ? ['drover doctor'] : commandsOf(worker)),
  ];
  const history = episodes.map(({ at, kind, action }) => ({ at, kind, action })).toReversed();
  const { pane, git } = evidence ?? NO_EVIDENCE;
  return { kind: 'ok', value: { ...errorView(row), pane, git, history, commands } };
}

const NO_EVIDENCE = { pane: [], git: [] } as const;

function commandsOf(worker: string): readonly string[] {
  return [`drover why ${worker}`, `drover logs ${worker}`, `drover attach ${worker}`];
}

function errorView(listed: ListedError): ErrorView {
  const {
    incidentId,
    workerId: _worker,
    machineId: _machine,
    calledOffAt: _at,
    timestamp,
    evidence: _evidence,
    ...row
  } = listed;
  return {
    ...row,
    incident: incidentId,
    at: timestamp,
    context: { ...row.context },
    remediation: [...remediationOf(row)],
  };
}
