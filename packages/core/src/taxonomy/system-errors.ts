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
        : `The tmux session "${about.session}" on ${theMachine(about)} belongs to no worker that is known. It is left alone.`,
    remediation: (about) =>
      about.session === undefined
        ? [workerCommand('worker recover', about), 'drover doctor']
        : [`tmux attach -t '=${about.session}'`, 'drover doctor'],
  },
  MACHINE_LOST: {
    ...TRANSIENT,
    message: (about) =>
      `${capital(theMachine(about))} has not been heard of${within(about.timeoutMs).replace(' within', ' for')}. ` +
      `Its agents work on; Drover replaces none of them.`,
    remediation: () => ['drover machine', 'Look whether the machine is up, and the machine agent on it.'],
  },
  TMUX_NOT_FOUND: {
    ...FATAL,
    message: (about) => `tmux is not installed on ${theMachine(about)}, and Drover runs its agents in it.`,
    remediation: () => ['sudo apt install tmux   # Debian, Ubuntu', 'brew install tmux       # macOS', 'drover doctor'],
  },
  TMUX_SESSION_FAILED: {
    ...TRANSIENT,
    message: (about) =>
      withWords(`The tmux session of ${theWorker(about)} on ${theMachine(about)} could not be made or used`, about) +
      nextTry(about),
    remediation: () => ['tmux ls', 'drover doctor'],
  },
  WORKTREE_IN_USE: {
    ...FATAL,
    message: (about) =>
      withWords(`Another program works in the worktree of ${theWorker(about)} on ${theMachine(about)}`, about) +
      ' Its agent is not started beside it.',
    remediation: (about) => [
      'End that program, or wait until it has ended.',
      'drover doctor   # names coding agents in worktrees',
      workerCommand('worker recover', about),
    ],
  },
  GIT_WORKTREE_FAILED: {
    ...TRANSIENT,
    message: (about) =>
      withWords(`The git worktree of ${theWorker(about)}${at(about.path)} could not be made or used`, about) +
      nextTry(about),
    remediation: (about) => [
      'drover doctor',
      workerCommand('worker checkpoint', about, '   # what is kept of its work'),
    ],
  },
  DATABASE_ERROR: {
    ...TRANSIENT,
    message: (about) => withWords('The database did not do what it was asked', about) + nextTry(about),
    remediation: () => [
      'drover doctor',
      'Look whether DATABASE_URL names a server that answers and has room on its disk.',
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
    message: (about) => withWords('Something failed in Drover that it has no name for', about),
    remediation: (about) => [
      workerCommand('logs', about),
      'drover doctor',
      'Report it with its id: "drover report error" prints all that is known.',
    ],
  },
} as const satisfies Record<string, ErrorDefinition>;

function at(path: string | undefined): string {
  return path === undefined ? '' : ` at ${path}`;
}
