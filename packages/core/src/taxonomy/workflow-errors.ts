/** Defines errors of a run, of its stages, and of bringing finished work home. */

import type { ErrorContext, ErrorDefinition } from './definition.ts';
import { capital, nextTry, theWorker, withWords, workerCommand } from './wording.ts';

const TRANSIENT = {
  category: 'WORKFLOW_ERROR',
  severity: 'error',
  kind: 'transient',
  recoverable: true,
  retryable: true,
} as const;
const SYSTEMATIC = { ...TRANSIENT, kind: 'systematic', retryable: false } as const;
const FATAL = { ...TRANSIENT, kind: 'fatal', recoverable: false, retryable: false } as const;

/** The errors of runs, and of bringing work home, by code. */
export const WORKFLOW_ERRORS = {
  WORKFLOW_NOT_FOUND: {
    ...FATAL,
    severity: 'fatal',
    message: (about) =>
      withWords(`There is no flow ${about.argument === undefined ? 'of that name' : `"${about.argument}"`}`, about),
    remediation: () => ['drover flow list'],
  },
  ROUTING_FAILED: {
    ...TRANSIENT,
    message: (about) => withWords(`Drover found no worker for ${theStage(about)}`, about) + nextTry(about),
    remediation: (about) => [runCommand('why', about), 'drover profile list', 'drover machine list'],
  },
  STAGE_FAILED: {
    ...TRANSIENT,
    message: (about) => withWords(`${capital(theStage(about))} failed`, about),
    remediation: (about) => [
      runCommand('why', about),
      `${runCommand('retry', about)} --from ${about.stage ?? 'STAGE'}`,
    ],
  },
  MAX_ITERATIONS: {
    ...SYSTEMATIC,
    severity: 'warning',
    message: (about) =>
      withWords(`${capital(theStage(about))} used all its rounds, and its best work so far is used`, about),
    remediation: (about) => [
      `drover review ${about.run ?? 'RUN'}, which shows the open findings`,
      `${runCommand('retry', about)} --from ${about.stage ?? 'STAGE'}`,
    ],
  },
  WORKFLOW_TIMEOUT: {
    ...SYSTEMATIC,
    kind: 'needs-person',
    message: (about) =>
      withWords(`${capital(theRun(about))} has spent its budget, and what it has made is kept`, about),
    remediation: (about) => [runCommand('show', about), 'Give the flow a larger budget, and try again.'],
  },
  REBASE_CONFLICT: {
    ...SYSTEMATIC,
    message: (about) => withWords(`The work of ${theWorker(about)} conflicts with the default branch`, about),
    remediation: (about) => ['Nothing to do: the agent is asked to resolve it.', workerCommand('attach', about)],
  },
  REBASE_ABORTED: {
    ...SYSTEMATIC,
    kind: 'needs-person',
    message: (about) => `The rebase of ${theWorker(about)} was aborted; its branch is unchanged.`,
    remediation: (about) => [
      workerCommand('review', about),
      workerCommand('message', about, ' "Rebase and resolve …"'),
    ],
  },
  REBASE_STUCK: {
    ...SYSTEMATIC,
    message: (about) => `The rebase of ${theWorker(about)} makes no progress.`,
    remediation: (about) => [
      `${workerCommand('attach', about)}   # then git status`,
      workerCommand('worker recover', about),
    ],
  },
  REBASE_UNRESOLVED: {
    ...SYSTEMATIC,
    message: (about) => withWords(`The conflicts of ${theWorker(about)} are not resolved`, about),
    remediation: (about) => [
      `${workerCommand('attach', about)}   # then git status`,
      workerCommand('worker recover', about),
    ],
  },
  REBASE_LOST_WORK: {
    ...SYSTEMATIC,
    message: (about) => withWords(`Resolving conflicts, ${theWorker(about)} lost changes`, about),
    remediation: (about) => [
      `${workerCommand('review', about)}, which names the files`,
      workerCommand('reject', about, ' "Bring back …"'),
    ],
  },
  REBASE_CONFLICT_LOOP: {
    ...FATAL,
    recoverable: true,
    kind: 'needs-person',
    message: (about) =>
      `The same conflicts came back ${about.count ?? 3} times in the rebase of ${theWorker(about)}. It needs a person.`,
    remediation: (about) => [
      `${workerCommand('attach', about)}   # then resolve it and git rebase --continue`,
      workerCommand('reject', about, ' "Start again from the newest default branch"'),
    ],
  },
  VALIDATION_FAILED: {
    ...SYSTEMATIC,
    message: (about) =>
      withWords(
        `${capital(theWorker(about))} is done, but ${about.program === undefined ? 'validation' : `"${about.program}"`} fails`,
        about,
      ),
    remediation: (about) => [workerCommand('logs', about), workerCommand('review', about)],
  },
  SETUP_FAILED: {
    ...SYSTEMATIC,
    kind: 'needs-person',
    message: (about) => withWords(`The worktree of ${theWorker(about)} could not be set up`, about),
    remediation: (about) => [
      workerCommand('logs', about),
      'Correct "setup" of [repo.worker] in drover.toml, or what its commands need, and try again.',
    ],
  },
  BUDGET_SPENT: {
    ...SYSTEMATIC,
    kind: 'needs-person',
    message: (about) => withWords(`A budget of ${theWorker(about)} is spent`, about),
    remediation: (about) => [
      `${workerCommand('why', about)}   # prints the answers: raise, today, skip, take-over`,
      'Change [budget] in drover.toml: it applies to all workers at once.',
    ],
  },
} as const satisfies Record<string, ErrorDefinition>;

function theRun({ run }: ErrorContext): string {
  return run === undefined ? 'the run' : `run ${run}`;
}

function theStage({ stage, run }: ErrorContext): string {
  const of = run === undefined ? 'a run' : `run ${run}`;
  if (stage === undefined) return `a stage of ${of}`;
  return run === undefined ? `stage "${stage}"` : `stage "${stage}" of run ${run}`;
}

function runCommand(verb: string, { run }: ErrorContext): string {
  return `drover run ${verb} ${run ?? 'RUN'}`;
}
