/** What went wrong? The error log, as people read it. */
import { remediationOf } from '@drover/core';
import type { ErrorView, IncidentFleet } from '@drover/api';
import type { ListedError } from '@drover/store';
import type { Context } from '../context.ts';
import { ownWorkers } from '../workers/find.ts';
import type { Reach } from '../workers/find.ts';

/** Newest first; without `all` only what is open. */
export async function listErrors(
  ctx: Context,
  { worker, code, sinceMs, all, limit }: Parameters<IncidentFleet['listErrors']>[0],
  by: Reach,
): Promise<readonly ErrorView[]> {
  const { store, clock } = ctx;
  const rows = await store.listErrors({
    limit,
    ...(await ownWorkers(ctx, by)),
    ...(worker === undefined ? {} : { workerName: worker }),
    ...(code === undefined ? {} : { code }),
    ...(sinceMs === undefined ? {} : { since: clock.now() - sinceMs }),
    ...(all ? {} : { open: true }),
  });
  return rows.map(errorView);
}

function errorView(listed: ListedError): ErrorView {
  const { incidentId, workerId: _worker, machineId: _machine, calledOffAt: _at, timestamp, ...row } = listed;
  return {
    ...row,
    incident: incidentId,
    at: timestamp,
    context: { ...row.context },
    remediation: [...remediationOf(row)],
  };
}
