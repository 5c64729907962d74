/** Summarizes recovery and cost for one worker, or for all. */
import { remediationOf } from '@drover/core';
import type { Outcome, IncidentFleet, ReportView } from '@drover/api';
import type { EscalationRow, ListedError } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { findWorker, ownWorkers } from '../../facts/workers/find.ts';
import type { Reach } from '../../facts/workers/find.ts';
import { shortIdOf } from '../../facts/escalations/view.ts';
import { isOpen } from '../../facts/escalations/context.ts';
import { costOf } from './cost.ts';
import { reportNumbers } from './report-numbers.ts';
import type { ReportRows } from './report-numbers.ts';

/** Rows of each kind that a report reads at most. */
const ROWS_MAX = 10_000;
/** A day that began earlier than this before the period lies outside of it. */
const DAY_MS = 24 * 3_600_000;
/** Suggestions, and references, that are shown at most. */
const SHOWN = 5;

/** Builds the report. Refuses with `not-found` for a name that never was a worker's. */
export async function report(
  ctx: Context,
  { worker, sinceMs }: Parameters<IncidentFleet['report']>[0],
  by: Reach,
): Promise<Outcome<ReportView>> {
  const { store, clock } = ctx;
  const now = clock.now();
  const since = Math.max(0, now - sinceMs);
  const named = worker === undefined ? {} : { workerName: worker };
  const filter = {
    since,
    limit: ROWS_MAX,
    ...(await ownWorkers(ctx, by)),
    ...named,
  };
  const ofProject = by.project === null ? {} : { projectId: by.project };
  const [errors, incidents, episodes, escalations, usage, tasks, projects] = await Promise.all([
    store.listErrors(filter),
    store.listIncidents(filter),
    store.listEpisodes(filter),
    store.listEscalations({ ...filter, ...ofProject }),
    store.listUsage({ ...named, ...ofProject, sinceDay: Math.max(0, since - DAY_MS + 1), limit: ROWS_MAX }),
    store.listTasks({ ...named, ...ofProject, limit: ROWS_MAX }),
    store.listProjects(),
  ]);
  const rows: ReportRows = { errors, incidents, episodes, escalations };
  if (worker !== undefined && errors.length + episodes.length + usage.length === 0) {
    const found = await findWorker(ctx, by, worker);
    if (found.kind === 'refused' && found.code === 'not-found') return found;
  }
  const value = {
    worker: worker ?? null,
    since,
    now,
    ...reportNumbers(rows),
    cost: costOf(usage, { projects, tasks }),
    suggestions: suggestions(errors),
    references: references(errors, rows),
  };
  return { kind: 'ok', value };
}

/** Suggests remedies for open errors, most frequent first. */
function suggestions(errors: readonly ListedError[]): string[] {
  const groups = [...Map.groupBy(errors.filter(isOpenError), ({ code }) => code).values()];
  const said = groups
    .toSorted((one, other) => other.length - one.length)
    .flatMap(([last]) =>
      last === undefined
        ? []
        : remediationOf(last)
            .slice(0, 1)
            .map((help) => `${last.code}: ${help}`),
    );
  return said.slice(0, SHOWN);
}

function isOpenError({ recovered, outcome }: ListedError): boolean {
  return !recovered && outcome === null;
}

function references(errors: readonly ListedError[], { escalations }: ReportRows): ReportView['references'] {
  const asked = escalations.filter(isOpen).map(openReference);
  const workers = new Set(errors.filter(isOpenError).map(({ worker }) => worker));
  const unrecovered = [...workers].flatMap((name) =>
    name === null ? [] : [{ what: `errors of ${name}`, command: `drover report errors --worker ${name}` }],
  );
  return [...asked, ...unrecovered].slice(0, SHOWN);
}

function openReference({ id, title }: EscalationRow): ReportView['references'][number] {
  return { what: title, command: `drover escalation show ${shortIdOf(id)}` };
}
