/** Defines the errors of a coding agent itself: starting it, talking to it, keeping it alive. */

import type { ErrorDefinition } from './definition.ts';
import { capital, nextTry, theAgent, theWorker, within, withWords, workerCommand } from './wording.ts';

/** Fields that agent errors share; each row names only its differences. */
const TRANSIENT = {
  category: 'AGENT_ERROR',
  severity: 'error',
  kind: 'transient',
  recoverable: true,
  retryable: true,
} as const;
const SYSTEMATIC = { ...TRANSIENT, severity: 'warning', kind: 'systematic' } as const;
const FATAL = {
  category: 'AGENT_ERROR',
  severity: 'fatal',
  kind: 'fatal',
  recoverable: false,
  retryable: false,
} as const;

/** The errors of coding agents, by code. */
export const AGENT_ERRORS = {
  AGENT_SPAWN_FAILED: {
    ...TRANSIENT,
    message: (about) => withWords(`${capital(theAgent(about))} did not start`, about) + nextTry(about),
    remediation: (about) => [
      workerCommand('attach', about),
      workerCommand('logs', about),
      `drover doctor`,
      `Start "${about.program ?? about.profile ?? 'the agent'}" by hand in the worktree and see what it says.`,
    ],
  },
  AGENT_TIMEOUT: {
    ...TRANSIENT,
    message: (about) =>
      `${capital(theAgent(about))} did not answer${within(about.timeoutMs)}. It may be busy with a long task.${nextTry(about)}`,
    remediation: (about) => [workerCommand('attach', about), workerCommand('why', about)],
  },
  AGENT_CRASHED: {
    ...TRANSIENT,
    message: (about) =>
      withWords(`${capital(theAgent(about))} ended unexpectedly${ending(about)}`, about) + nextTry(about),
    remediation: (about) => [
      workerCommand('logs', about),
      workerCommand('attach', about),
      workerCommand('worker recover', about),
    ],
  },
  AGENT_INVALID_OUTPUT: {
    ...SYSTEMATIC,
    message: (about) => withWords(`${capital(theAgent(about))} gave an unusable answer`, about),
    remediation: (about) => [workerCommand('attach', about), workerCommand('message', about, ' "…what is expected…"')],
  },
  AGENT_BLOCKED: {
    ...TRANSIENT,
    severity: 'warning',
    kind: 'needs-person',
    retryable: false,
    message: (about) => withWords(`${capital(theAgent(about))} waits for an answer`, about),
    remediation: (about) => [
      workerCommand('attach', about),
      'If it shows a dialog: [policy] dialogs in drover.toml can answer such dialogs in the future.',
    ],
  },
  AGENT_CLI_NOT_FOUND: {
    ...FATAL,
    message: (about) =>
      `The program "${about.program ?? about.profile ?? 'of the agent'}" was not found on ${about.machine ?? 'the machine'}. ` +
      `It must be installed and in the PATH of the machine agent.`,
    remediation: (about) => [
      `Install "${about.program ?? about.profile ?? 'the agent'}" on the machine, or set its full path in the profile.`,
      'drover doctor',
      workerCommand('worker recover', about),
    ],
  },
  AGENT_AUTH_REQUIRED: {
    ...FATAL,
    message: (about) => withWords(`${capital(theAgent(about))} is not logged in`, about),
    remediation: (about) => [
      `${workerCommand('attach', about)}   # then log in, in Claude Code with /login`,
      workerCommand('worker recover', about),
    ],
  },
  AGENT_AUTH_EXPIRED: {
    ...FATAL,
    message: (about) => withWords(`The login of ${theAgent(about)} has expired`, about),
    remediation: (about) => [
      `${workerCommand('attach', about)}   # then log in again, in Claude Code with /login`,
      workerCommand('worker recover', about),
    ],
  },
  AGENT_CONTEXT_EXHAUSTED: {
    ...SYSTEMATIC,
    retryable: false,
    message: (about) => withWords(`${capital(theAgent(about))} has used up its context`, about),
    remediation: (about) => [
      `${workerCommand('attach', about)}   # then /compact or /clear`,
      'Split the task into smaller ones.',
    ],
  },
  AGENT_HISTORY_REFUSED: {
    ...SYSTEMATIC,
    retryable: false,
    message: (about) => withWords(`The provider refuses the conversation of ${theAgent(about)}`, about),
    remediation: (about) => [
      `${workerCommand('attach', about)}   # then /clear, or /rewind to before the image or tool that it refuses`,
    ],
  },
  TOOL_FAILED: {
    ...TRANSIENT,
    severity: 'warning',
    message: (about) =>
      withWords(
        `${about.program === undefined ? 'A tool' : `"${about.program}"`} failed for ${theAgent(about)}`,
        about,
      ) + nextTry(about),
    remediation: (about) => [workerCommand('why', about), workerCommand('attach', about)],
  },
  INPUT_LOST: {
    ...TRANSIENT,
    message: (about) =>
      `The prompt for ${theWorker(about)} was sent, but the agent shows no sign that it took it.${nextTry(about)}`,
    remediation: (about) => [workerCommand('attach', about), workerCommand('why', about)],
  },
  INPUT_PARTIAL: {
    ...TRANSIENT,
    message: (about) => `Only a part of the prompt for ${theWorker(about)} is in its input box.${nextTry(about)}`,
    remediation: (about) => [
      workerCommand('attach', about),
      'Leave the input box empty while Drover types into it; Drover keeps your draft.',
    ],
  },
  AGENT_STUCK: {
    ...TRANSIENT,
    severity: 'warning',
    message: (about) => `${capital(theAgent(about))} is working, but has shown no progress${since(about.timeoutMs)}.`,
    remediation: (about) => [workerCommand('attach', about), workerCommand('message', about, ' "Where do you stand?"')],
  },
} as const satisfies Record<string, ErrorDefinition>;

function since(ms: number | undefined): string {
  return within(ms).replace(' within', ' for');
}

function ending({ exitStatus, signal }: { exitStatus?: number; signal?: number }): string {
  if (signal !== undefined) return ` by signal ${signal}`;
  return exitStatus === undefined ? '' : ` with status ${exitStatus}`;
}
