/** Maps what an agent shows on its screen, or the way in which it ended, to an error code. */

import type { AgentErrorKind, AgentState } from '../agent-state.ts';
import type { ErrorCode } from './codes.ts';

const BY_KIND = {
  'rate-limit': 'RATE_LIMITED',
  'usage-limit': 'USAGE_LIMIT',
  network: 'NETWORK_ERROR',
  overloaded: 'SERVER_OVERLOADED',
  tool: 'AGENT_INVALID_OUTPUT',
  api: 'AGENT_API_ERROR',
  auth: 'AGENT_AUTH_REQUIRED',
  'context-exhausted': 'AGENT_CONTEXT_EXHAUSTED',
  'history-refused': 'AGENT_HISTORY_REFUSED',
} as const satisfies Record<AgentErrorKind, ErrorCode>;

/** Tells whether a string names a kind of error that agents show. */
export function isAgentErrorKind(text: string): text is AgentErrorKind {
  return Object.hasOwn(BY_KIND, text);
}

/** Words that tell a login that ran out from one that never was. */
const EXPIRED = /\b(?:expired|has been revoked|no longer valid)\b/i;

/**
 * Returns the code of an error that an agent shows while its program runs.
 * @param text Words on the screen; they tell an expired login from a missing one.
 */
export function codeForAgentError(kind: AgentErrorKind, text = ''): ErrorCode {
  if (kind === 'auth' && EXPIRED.test(text)) return 'AGENT_AUTH_EXPIRED';
  return BY_KIND[kind];
}

/** End of a program, as the terminal multiplexer knows it. */
export type AgentExit = Omit<Extract<AgentState, { kind: 'exited' }>, 'kind'>;

/**
 * A program that could not be run: found but not executable, and not found. Conventions of the shell (POSIX sh, 2.8.2) and
 * of env(1), with which Drover starts every program.
 */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
/** Status of a person's Ctrl-C, which ends most programs with 128 + SIGINT, and one that does not listen for it with the signal itself. */
const INTERRUPTED = 130;
const SIGINT = 2;

/** Codes of a program's end. The last two can only be believed of a program that never came up. */
export type ExitCode = 'AGENT_CRASHED' | 'AGENT_TIMEOUT' | 'AGENT_CLI_NOT_FOUND' | 'PERMISSION_DENIED';

/** Returns the code of an agent's end; null when a person ended it: status 0 or 130, SIGINT, or the agent's own farewell. */
export function codeForExit({ cause, status, signal }: AgentExit): ExitCode | null {
  if (cause === 'user') return null;
  if (cause === 'timeout') return 'AGENT_TIMEOUT';
  if (signal !== null) return signal === SIGINT ? null : 'AGENT_CRASHED';
  if (status === 0 || status === INTERRUPTED) return null;
  if (status === NOT_FOUND) return 'AGENT_CLI_NOT_FOUND';
  if (status === NOT_EXECUTABLE) return 'PERMISSION_DENIED';
  return 'AGENT_CRASHED';
}

/**
 * Tells whether the last words of a program say that it cannot go on by itself, so that a restart is not worth a try. The words stand at the
 * start of a line or after a prefix such as a time stamp: a diff that mentions panic() is none.
 */
export function saysFatal(text: string): boolean {
  return /^(?:thread '.*' panicked at|panic: |fatal error: |(?:[\d[(]\S* ){0,3}\[?(?:FATAL|PANIC)\b[\]:]?)/m.test(text);
}
