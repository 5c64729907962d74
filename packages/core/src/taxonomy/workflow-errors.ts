/** What can go wrong with a run, its stages, and with bringing finished work home? */

import type { ErrorDefinition } from './definition.ts';
import { capital, nextTry, theWorker, within, withWords, workerCommand } from './wording.ts';

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
    message: ({ argument }) => `There is no workflow ${argument === undefined ? 'of that name' : `"${argument}"`}.`,
    remediation: () => ['Check the name against the workflows in drover.toml.', 'drover config check'],
  },
  WORKFLOW_TIMEOUT: {
    ...SYSTEMATIC,
    message: ({ run, timeoutMs }) =>
      `${theRun(run)} was not finished${within(timeoutMs)}. Its results so far are kept, marked partial.`,
    remediation: ({ run }) => [`drover report ${run ?? 'RUN'}`, `drover recover ${run ?? 'RUN'}`],
  },
  STAGE_FAILED: {
    ...TRANSIENT,
    message: (about) =>
      withWords(`Stage ${quoted(about.stage)}of ${theRun(about.run, 'a run')} failed`, about) + nextTry(about),
    remediation: ({ run }) => [`drover report ${run ?? 'RUN'}`, `drover recover ${run ?? 'RUN'} --dry-run`],
  },
  ROUTING_FAILED: {
    ...TRANSIENT,
    message: (about) =>
      withWords(
        `A message ${about.role === undefined ? '' : `for the ${about.role} `}could not be handed to a worker`,
        about,
      ) + nextTry(about),
    remediation: () => ['drover status', 'Add a worker with that role, or give the role to one that exists.'],
  },
  MAX_ITERATIONS: {
    ...SYSTEMATIC,
    severity: 'warning',
    message: ({ run, count }) =>
      `${theRun(run)} went round ${count === undefined ? 'as often as allowed' : `${count} times`} and was still asked for changes. ` +
      `The best output so far is taken, marked partial.`,
    remediation: ({ run }) => [`drover report ${run ?? 'RUN'}`, 'drover review'],
  },
  REBASE_CONFLICT: {
    ...SYSTEMATIC,
    message: (about) => withWords(`The work of ${theWorker(about)} conflicts with the default branch`, about),
    remediation: (about) => ['Nothing to do: the agent is asked to resolve it.', workerCommand('attach', about)],
  },
  REBASE_ABORTED: {
    ...SYSTEMATIC,
    kind: 'needs-person',
    message: (about) => `The rebase of ${theWorker(about)} was aborted; its branch stands where it was before.`,
    remediation: (about) => [
      workerCommand('review', about),
      workerCommand('message', about, ' "Rebase and resolve …"'),
    ],
  },
  REBASE_STUCK: {
    ...SYSTEMATIC,
    message: (about) => `The rebase of ${theWorker(about)} makes no progress.`,
    remediation: (about) => [`${workerCommand('attach', about)}, then git status`, workerCommand('recover', about)],
  },
  REBASE_CONFLICT_LOOP: {
    ...FATAL,
    recoverable: true,
    kind: 'needs-person',
    message: (about) =>
      `The same conflicts came back ${about.count ?? 3} times in the rebase of ${theWorker(about)}. It needs a person.`,
    remediation: (about) => [
      `${workerCommand('attach', about)}, then resolve it and git rebase --continue`,
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
} as const satisfies Record<string, ErrorDefinition>;

function theRun(run: string | undefined, otherwise = 'The run'): string {
  return run === undefined ? otherwise : `${otherwise === 'The run' ? 'Run' : 'run'} "${run}"`;
}

function quoted(name: string | undefined): string {
  return name === undefined ? '' : `"${name}" `;
}
