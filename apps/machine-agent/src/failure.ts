/** How is a failure of the world told to the coordinator: code, words for people, and whether to try again? */
import type { OpResult } from '@drover/core';

/** An order that could not be carried out: a stable code, words for people, and whether to try again. */
export type Failed = Extract<OpResult, { kind: 'failed' }>;

/** An order cannot be carried out, for a reason that people can read. */
export class OrderError extends Error {
  override readonly name = 'OrderError';
  readonly code: string;
  readonly retry: boolean;

  constructor(code: string, message: string, { retry = false, cause }: { retry?: boolean; cause?: unknown } = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.retry = retry;
  }
}

/** Codes of the rooms below whose order may be given again: all orders are safe to repeat. */
const RETRIED: ReadonlySet<string> = new Set([
  'timed-out',
  'server-gone',
  'connection-lost',
  'server-busy',
  'torn-capture',
  'spawn-failed',
  'locked',
  'disk-full',
]);

/** Codes of the operating system, as this agent's own code and words. */
const SYSTEM: Readonly<Record<string, { code: string; retry: boolean; advice: string }>> = {
  ENOSPC: { code: 'disk-full', retry: true, advice: 'The disk is full: free some space.' },
  EDQUOT: { code: 'disk-full', retry: true, advice: 'The disk quota is used up: free some space.' },
  EROFS: { code: 'read-only', retry: false, advice: 'The file system is read-only: mount it for writing.' },
  EACCES: { code: 'no-permission', retry: false, advice: 'Check who owns these files.' },
  EPERM: { code: 'no-permission', retry: false, advice: 'Check who owns these files.' },
  EMFILE: { code: 'too-many-files', retry: true, advice: 'Too many files are open: raise the limit (ulimit -n).' },
};

/** Turns anything that was thrown into a result. */
export function failedFrom(error: unknown): Failed {
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  if (error instanceof OrderError) return { kind: 'failed', code: error.code, message, retry: error.retry };
  const system = SYSTEM[code];
  if (system !== undefined) {
    return { kind: 'failed', code: system.code, message: `${message}. ${system.advice}`, retry: system.retry };
  }
  return { kind: 'failed', code, message, retry: RETRIED.has(code) };
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'internal';
}
