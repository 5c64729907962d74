/** Finds incidents that a decision opened, raised or closed: from the worker before and after, and from its records. */
import type { DecisionRecord, Incident } from '@drover/core';
import type { IncidentOutcome, IncidentRow } from '@drover/store';
import { taskOf } from './about.ts';
import type { About } from './about.ts';

/** Fields that a row copies from an incident. */
type Known = Pick<Incident, 'id' | 'code' | 'openedAt' | 'level' | 'attempts' | 'tried'>;

/** Option by which a person takes over the work. */
const TAKE_OVER = 'take-over';

/** Builds the rows to write: each is added if missing, or brought to this state. */
export function incidentRows(about: About): readonly IncidentRow[] {
  const before = about.row.state.incident.open;
  const after = isGone(about) ? null : about.after.incident.open;
  const ids = new Set([before?.id, ...about.records.map(incidentOf), after?.id].filter((id) => typeof id === 'string'));
  return [...ids].flatMap((id) => {
    if (id === before?.id && id === after?.id) return isSame(before, after) ? [] : [openRow(after, about)];
    if (id === after?.id) return [openRow(after, about)];
    const known = id === before?.id ? before : fromRecords(id, about);
    if (known === null) return [];
    // A question about a failed tool is no incident of the worker: it stays open until a person answers.
    return [id !== before?.id && isAskedAlone(id, about) ? openRow(known, about) : closedRow(known, about)];
  });
}

/** Tells whether a decision removed its worker. */
export function isGone({ records }: About): boolean {
  return records.some(({ kind }) => kind === 'gone');
}

function isAskedAlone(id: string, { records }: About): boolean {
  const named = records.filter((entry) => 'incident' in entry && entry.incident === id);
  return (
    named.some(({ kind }) => kind === 'escalated') &&
    named.every(({ kind }) => kind === 'escalated' || kind === 'error')
  );
}

function incidentOf(entry: DecisionRecord): string | null {
  switch (entry.kind) {
    case 'error':
    case 'recovery':
    case 'recovered':
    case 'escalated':
      return entry.incident;
    default:
      return null;
  }
}

function isSame(before: Incident, after: Incident): boolean {
  return (
    before.code === after.code &&
    before.level === after.level &&
    before.attempts === after.attempts &&
    before.tried.length === after.tried.length
  );
}

function openRow({ id, code, level, attempts, openedAt, tried }: Known, about: About): IncidentRow {
  const { row } = about;
  return {
    id,
    workerId: row.id,
    workerName: row.name,
    taskId: taskOf(about),
    code,
    level,
    attempts,
    openedAt,
    closedAt: null,
    outcome: null,
    tried,
  };
}

function closedRow(known: Known, about: About): IncidentRow {
  const last = about.records.find((entry) => entry.kind === 'recovered' && entry.incident === known.id);
  const counted = last?.kind === 'recovered' ? { attempts: last.attempts, level: last.level } : {};
  return {
    ...openRow(known, about),
    ...counted,
    closedAt: about.now,
    outcome: outcomeOf(known.id, about.records),
  };
}

/** Returns the outcome; `cancelled` where no record says that the incident recovered or was answered: its subject is over. */
function outcomeOf(incident: string, records: readonly DecisionRecord[]): IncidentOutcome {
  for (const entry of records) {
    if (entry.kind === 'recovered' && entry.incident === incident) return 'recovered';
    if (entry.kind === 'escalation-closed' && entry.incident === incident && entry.how === 'resolved')
      return entry.option === TAKE_OVER ? 'escalated' : 'resolved';
  }
  return 'cancelled';
}

/** Reads an incident that was opened and closed within the same decision. */
function fromRecords(id: string, { records, now }: About): Known | null {
  const named = records.find((entry) => incidentOf(entry) === id);
  if (named === undefined || !('code' in named)) return null;
  const level = 'level' in named ? named.level : named.kind === 'escalated' ? 4 : 1;
  return { id, code: named.code, openedAt: now, level, attempts: 0, tried: [] };
}
