/** Defines errors underneath: tmux, git, disk, database, machines, and Drover itself. */

import type { ErrorDefinition } from './definition.ts';
import { capital, nextTry, theMachine, theWorker, withWords, within, workerCommand } from './wording.ts';

const TRANSIENT = {
  category: 'SYSTEM_ERROR',
  severity: 'error',
  kind: 'transient',
  recoverable: true,
  retryable: true,
} as const;
const FATAL = {
  category: 'SYSTEM_ERROR',
  severity: 'fatal',
  kind: 'fatal',
  recoverable: false,
  retryable: false,
} as const;

/** Errors of Drover's foundations, and of Drover itself, by code. */
export const SYSTEM_ERRORS = {
  SESSION_ORPHANED: {
    ...TRANSIENT,
    severity: 'warning',
    message: (about) =>
      about.session === undefined
        ? `${capital(theWorker(about))} has no tmux session any more.`
        : `The tmux session "${about.session}" on ${theMachine(about)} belongs to no known worker. Drover leaves it alone.`,
    remediation: (about) =>
      about.session === undefined
        ? [workerCommand('worker recover', about), 'drover doctor']
        : [`tmux attach -t '=${about.session}'`, 'drover doctor'],
  },
  MACHINE_LOST: {
    ...TRANSIENT,
    message: (about) =>
      `${capital(theMachine(about))} has been silent${within(about.timeoutMs).replace(' within', ' for')}. ` +
      `Its agents continue to work; Drover does not replace them.`,
    remediation: () => ['drover machine', 'Check that the machine and its machine agent are running.'],
  },
  TMUX_NOT_FOUND: {
    ...FATAL,
    message: (about) => `tmux is not installed on ${theMachine(about)}, and Drover runs its agents in it.`,
    remediation: () => ['sudo apt install tmux   # Debian, Ubuntu', 'brew install tmux       # macOS', 'drover doctor'],
  },
  TMUX_SESSION_FAILED: {
    ...TRANSIENT,
    message: (about) =>
      withWords(`The tmux session of ${theWorker(about)} on ${theMachine(about)} could not be created or used`, about) +
      nextTry(about),
    remediation: () => ['tmux ls', 'drover doctor'],
  },
  WORKTREE_IN_USE: {
    ...FATAL,
    message: (about) =>
      withWords(`Another program is working in the worktree of ${theWorker(about)} on ${theMachine(about)}`, about) +
      ' Drover does not start the agent beside it.',
    remediation: (about) => [
      'End that program, or wait until it has ended.',
      'drover doctor   # names coding agents in worktrees',
      workerCommand('worker recover', about),
    ],
  },
  GIT_WORKTREE_FAILED: {
    ...TRANSIENT,
    message: (about) =>
      withWords(`The git worktree of ${theWorker(about)}${at(about.path)} could not be created or used`, about) +
      nextTry(about),
    remediation: (about) => [
      'drover doctor',
      workerCommand('worker checkpoint', about, '   # what is kept of its work'),
    ],
  },
  DATABASE_ERROR: {
    ...TRANSIENT,
    message: (about) => withWords('The database could not carry out a request', about) + nextTry(about),
    remediation: () => [
      'drover doctor',
      'Check that DATABASE_URL names a server that answers and has free disk space.',
    ],
  },
  FILESYSTEM_ERROR: {
    ...TRANSIENT,
    message: (about) =>
      withWords(`Reading or writing ${about.path ?? 'a file'} on ${theMachine(about)} failed`, about) + nextTry(about),
    remediation: ({ path }) => [`df -h ${path ?? '.'}`, `ls -ld ${path ?? '.'}`, 'drover doctor'],
  },
  PERMISSION_DENIED: {
    ...FATAL,
    message: (about) =>
      withWords(`Drover is not allowed to use ${about.path ?? about.program ?? 'something it needs'}`, about),
    remediation: ({ path }) => [
      `ls -ld ${path ?? 'PATH'}`,
      `sudo chown -R "$USER" ${path ?? 'PATH'}   # as the user that runs Drover`,
    ],
  },
  INTERNAL_ERROR: {
    ...FATAL,
    severity: 'error',
    message: (about) => withWords('Drover failed with an unknown error', about),
    remediation: (about) => [
      workerCommand('logs', about),
      'drover doctor',
      'Report it with its id: "drover report error" prints all details.',
    ],
  },
} as const satisfies Record<string, ErrorDefinition>;

function at(path: string | undefined): string {
  return path === undefined ? '' : ` at ${path}`;
}
