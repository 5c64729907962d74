/** Reports a failure of the world to the coordinator: code, words for people, and whether to retry. */
import { messageOf } from '@drover/base';
import type { CommandResult } from '@drover/core';

/** Command that could not be carried out: a stable code, words for people, and whether to retry. */
export type Failed = Extract<CommandResult, { kind: 'failed' }>;

/** Failure of a command for a reason that people can read. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: string;
  readonly retry: boolean;

  constructor(code: string, message: string, { retry = false, cause }: { retry?: boolean; cause?: unknown } = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.retry = retry;
  }
}

/** Codes of the rooms below, and of the operating system, whose command may be retried: all commands are safe to repeat. */
const RETRIED: ReadonlySet<string> = new Set([
  'timed-out',
  'server-gone',
  'connection-lost',
  'unreachable',
  'server-busy',
  'torn-capture',
  'spawn-failed',
  'locked',
  'disk-full',
  'ENOSPC',
  'EDQUOT',
  'EMFILE',
]);

/** Advice against errors of the operating system, by their names. Core knows their names outside the machine. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: free some space.',
  EDQUOT: 'The disk quota is used up: free some space.',
  EROFS: 'The file system is read-only: mount it for writing.',
  EACCES: 'Check who owns these files.',
  EPERM: 'Check who owns these files.',
  EMFILE: 'Too many files are open: raise the limit (ulimit -n).',
};

/** Turns any thrown value into a result. */
export function failedFrom(error: unknown): Failed {
  const message = messageOf(error);
  const code = codeOf(error);
  if (error instanceof CommandError) return { kind: 'failed', code: error.code, message, retry: error.retry };
  const advice = Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
  return {
    kind: 'failed',
    code,
    message: advice === undefined ? message : `${message}. ${advice}`,
    retry: RETRIED.has(code),
  };
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'internal';
}
