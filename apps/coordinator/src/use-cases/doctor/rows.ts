/** Finds rows that contradict themselves or one another. */
import { isAccepting, isBusy, runOf, stateOf, timesOf, WORKER_STATUSES } from '@drover/core';
import { OTHER_DATABASE } from '@drover/store';
import type { Machine, SchemaFacts, WorkerRow } from '@drover/store';
import { machineState } from '../../context/leases.ts';
import { lacksOf } from '../../facts/workers/views.ts';
import type { DoctorFacts, Finding } from './facts.ts';
import { orFine, problem, warning } from './finding.ts';
import { examineOverSsh, revokedGateways } from './ssh.ts';

/** Milliseconds by which clocks of replicas may differ: only times further ahead count as the future. */
export const CLOCK_DIFFERENCE_MS = 60_000;

const REPAIR = 'drover doctor --repair';

/** Runs all checks of rows, with one line for each check that found nothing. */
export function examineRows(facts: DoctorFacts): readonly Finding[] {
  const { workers } = facts;
  return [
    ...orFine('rows', 'workers', {
      says: `${workers.length} row(s), each in a known state`,
      found: workers.flatMap(badState),
    }),
    ...orFine('uniqueness', 'workers', { says: 'no two share a session or a worktree', found: sharedPanes(workers) }),
    ...orFine('times', 'workers', {
      says: 'no time is in the future',
      found: workers.flatMap((row) => futureTimes(row, facts.now)),
    }),
    ...orFine('reviews', 'workers', {
      says: 'each review has a commit',
      found: workers.filter(lacksCommit).map(reviewWithoutCommit),
    }),
    ...orFine('prompts', 'workers', {
      says: 'each worker at work has a prompt',
      found: workers.filter(lacksPrompt).map(workWithoutPrompt),
    }),
    ...orFine('merges', 'projects', { says: 'each merge has a worker', found: lostMerges(facts) }),
    ...orFine('supplies', 'workers', { says: 'no worktree lacks files', found: workers.flatMap(lackingSupplies) }),
    ...workers.flatMap(inError),
    ...silentMachines(facts),
    ...revokedGateways(facts),
  ];
}

/** Lists differences between the schema and this build's. */
export function examineSchemaFacts(facts: SchemaFacts): readonly Finding[] {
  const { applied, otherBuild, missing, strange, untrusted } = facts;
  if (otherBuild !== null) {
    const says = `was made by another build of Drover, which begins with the migration "${otherBuild}": Drover leaves it unchanged`;
    return [problem('schema', 'database', { says, help: OTHER_DATABASE })];
  }
  const found: Finding[] = [
    ...missing.map((name) =>
      problem('schema', name, {
        says: 'is not applied to the database',
        help: 'restart the coordinator, which migrates the database',
      }),
    ),
    ...strange.map((name) =>
      problem('schema', name, {
        says: 'in the database differs from the one of this build',
        help: 'start the newest build',
      }),
    ),
    ...untrusted.map((name) =>
      problem('uniqueness', name, {
        says: 'is invalid in Postgres: the same row may exist twice',
        help: `psql "$DATABASE_URL" -c 'reindex index ${name}'`,
      }),
    ),
  ];
  return orFine('schema', 'database', { says: `${applied} migrations, as this build has them`, found });
}

/** Tells whether a worker is in review, and no commit is on record. A task of a run may owe none. */
export function lacksCommit({ state }: WorkerRow): boolean {
  const { lifecycle, merge, worktree, task } = state;
  return (
    stateOf(lifecycle) === 'needs_review' &&
    runOf(task) === null &&
    !isAccepting(merge.step) &&
    (worktree.git === null || worktree.git.ahead === 0)
  );
}

/** Tells whether a worker is at work, and no prompt is on record. */
export function lacksPrompt({ state }: WorkerRow): boolean {
  return isBusy(stateOf(state.lifecycle)) && state.task.kind === 'none' && state.mailbox.current === null;
}

/** Names times that are further in the future than clocks differ. */
export function futureTimesOf({ state }: WorkerRow, now: number): readonly string[] {
  return Object.entries(timesOf(state)).flatMap(([name, at]) => (at > now + CLOCK_DIFFERENCE_MS ? [name] : []));
}

function badState({ name, state }: WorkerRow): readonly Finding[] {
  const known: readonly string[] = WORKER_STATUSES;
  if (known.includes(state.lifecycle.status) && known.includes(state.lifecycle.before)) return [];
  const says = `its row has the unknown state "${state.lifecycle.status}": the row is damaged`;
  return [problem('rows', name, { says, help: 'drover down && drover doctor --repair --restore DATE' })];
}

function sharedPanes(workers: readonly WorkerRow[]): readonly Finding[] {
  const holders = new Map<string, string[]>();
  for (const { name, machineId, state } of workers) {
    if (state.session.pane.kind === 'absent') continue;
    const key = `${machineId} ${state.session.pane.incarnation}`;
    holders.set(key, [...(holders.get(key) ?? []), name]);
  }
  return [...holders.values()]
    .filter((names) => names.length > 1)
    .map((names) =>
      problem('uniqueness', names.join(', '), { says: 'hold the same session', help: `drover why ${names[0] ?? ''}` }),
    );
}

function futureTimes(row: WorkerRow, now: number): readonly Finding[] {
  const names = futureTimesOf(row, now);
  if (names.length === 0) return [];
  const says = `${names.join(', ')} in the future: deadlines that depend on it would expire too late`;
  return [problem('times', row.name, { says, help: REPAIR })];
}

function reviewWithoutCommit({ name }: WorkerRow): Finding {
  return problem('reviews', name, {
    says: 'waits for review without a recorded commit: it cannot be shown or accepted',
    help: REPAIR,
  });
}

function workWithoutPrompt({ name, state }: WorkerRow): Finding {
  return problem('prompts', name, {
    says: `is ${stateOf(state.lifecycle)}, but has no recorded prompt: Drover cannot tell when it is done`,
    help: REPAIR,
  });
}

function lostMerges({ projects, workers }: DoctorFacts): readonly Finding[] {
  const lost = projects.filter(
    ({ mergeWorkerId }) => mergeWorkerId !== null && !workers.some(({ id }) => id === mergeWorkerId),
  );
  return lost.map(({ name }) =>
    problem('merges', name, {
      says: 'a worker that is gone holds its turn to merge: no merge can begin',
      help: 'drover down && drover doctor --repair --restore DATE',
    }),
  );
}

/** Warns of a worker whose agent works without some of the project's supplies. */
function lackingSupplies(row: WorkerRow): readonly Finding[] {
  return lacksOf(row).map((says) => warning('supplies', row.name, { says, help: `drover why ${row.name}` }));
}

function inError({ name, state }: WorkerRow): readonly Finding[] {
  if (stateOf(state.lifecycle) !== 'error') return [];
  return [
    problem('worker', name, {
      says: state.lifecycle.note === '' ? 'is in error' : state.lifecycle.note,
      help: `drover why ${name}`,
    }),
  ];
}

function silentMachines(facts: DoctorFacts): readonly Finding[] {
  const { machines } = facts;
  return machines.flatMap((machine): readonly Finding[] => {
    const { ssh } = machine;
    return ssh === null || machine.revokedAt !== null
      ? [silentMachine(machine, facts)]
      : examineOverSsh({ ...machine, ssh }, facts);
  });
}

function silentMachine(machine: Machine, facts: DoctorFacts): Finding {
  const { workers, now } = facts;
  const { id, name, lastSeenAt } = machine;
  const state = machineState(machine, facts);
  const count = workers.filter(({ machineId }) => machineId === id).length;
  if (state === 'revoked') return revokedMachine(name, count);
  if (lastSeenAt !== null && lastSeenAt > now + CLOCK_DIFFERENCE_MS)
    return warning('times', name, { says: 'was last seen in the future: a clock was set back', help: null });
  if (state === 'connected') return { check: 'machine', about: name, level: 'ok', says: 'connected', help: null };
  const silent = lastSeenAt === null ? 'never connected' : `silent for ${Math.round((now - lastSeenAt) / 60_000)} min`;
  const says = `${silent}; ${count} worker(s) are on it`;
  return count > 0
    ? problem('machine', name, { says, help: 'drover server agent   (on that machine)' })
    : warning('machine', name, { says, help: null });
}

/** Reports a revoked machine. Nothing is wrong with it: a person revoked it. The workers on it wait for a decision. */
function revokedMachine(name: string, workers: number): Finding {
  if (workers === 0) return warning('machine', name, { says: 'revoked', help: `drover machine remove ${name}` });
  const says = `revoked; ${workers} worker(s) are on it, and Drover cannot see them`;
  return problem('machine', name, {
    says,
    help: `drover machine invite   (or: drover machine remove ${name} --force)`,
  });
}
