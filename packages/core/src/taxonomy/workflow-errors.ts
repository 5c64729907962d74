/** Defines errors of a run, of its stages, and of bringing finished work home. */

import type { ErrorDefinition } from './definition.ts';
import { capital, theWorker, withWords, workerCommand } from './wording.ts';

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
} as const satisfies Record<string, ErrorDefinition>;
