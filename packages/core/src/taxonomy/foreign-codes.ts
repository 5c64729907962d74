/** Maps errors from elsewhere to codes of the taxonomy: Node, Postgres, a library, another room. */

import { type ErrorCode, isErrorCode } from './codes.ts';
import { stringAt, valueAt } from './unknown.ts';

/**
 * Errors by the name in their `code`: error numbers as Node names them (errno(3)), undici's own for fetch, and the names of packages/worktree
 * for the same things when git reports them in words.
 */
const BY_NAME: Readonly<Record<string, ErrorCode>> = {
  'disk-full': 'FILESYSTEM_ERROR',
  'read-only': 'FILESYSTEM_ERROR',
  'no-permission': 'PERMISSION_DENIED',
  EACCES: 'PERMISSION_DENIED',
  EPERM: 'PERMISSION_DENIED',
  ENOSPC: 'FILESYSTEM_ERROR',
  EDQUOT: 'FILESYSTEM_ERROR',
  EROFS: 'FILESYSTEM_ERROR',
  EIO: 'FILESYSTEM_ERROR',
  ENOENT: 'FILESYSTEM_ERROR',
  EEXIST: 'FILESYSTEM_ERROR',
  ENOTDIR: 'FILESYSTEM_ERROR',
  EISDIR: 'FILESYSTEM_ERROR',
  ENOTEMPTY: 'FILESYSTEM_ERROR',
  EBUSY: 'FILESYSTEM_ERROR',
  EFBIG: 'FILESYSTEM_ERROR',
  ENAMETOOLONG: 'FILESYSTEM_ERROR',
  EMFILE: 'FILESYSTEM_ERROR',
  ENFILE: 'FILESYSTEM_ERROR',
  EXDEV: 'FILESYSTEM_ERROR',
  ECONNREFUSED: 'NETWORK_ERROR',
  ECONNRESET: 'NETWORK_ERROR',
  ECONNABORTED: 'NETWORK_ERROR',
  ENOTFOUND: 'NETWORK_ERROR',
  EAI_AGAIN: 'NETWORK_ERROR',
  EHOSTUNREACH: 'NETWORK_ERROR',
  ENETUNREACH: 'NETWORK_ERROR',
  ENETDOWN: 'NETWORK_ERROR',
  ETIMEDOUT: 'NETWORK_ERROR',
  EPIPE: 'NETWORK_ERROR',
  UND_ERR_SOCKET: 'NETWORK_ERROR',
  UND_ERR_CONNECT_TIMEOUT: 'NETWORK_ERROR',
  UND_ERR_HEADERS_TIMEOUT: 'NETWORK_ERROR',
  UND_ERR_BODY_TIMEOUT: 'NETWORK_ERROR',
};

/** Code of a failure without a known code, by the part that noticed it. */
const BY_COMPONENT: Readonly<Record<string, ErrorCode>> = {
  store: 'DATABASE_ERROR',
  database: 'DATABASE_ERROR',
  tmux: 'TMUX_SESSION_FAILED',
  worktree: 'GIT_WORKTREE_FAILED',
  git: 'GIT_WORKTREE_FAILED',
  filesystem: 'FILESYSTEM_ERROR',
  network: 'NETWORK_ERROR',
};

/** Code for a program that cannot be started. Any other program is taken for an agent. */
const MISSING_PROGRAM: Readonly<Record<string, ErrorCode>> = {
  tmux: 'TMUX_NOT_FOUND',
  git: 'GIT_WORKTREE_FAILED',
};

/** Bugs of Drover itself are never blamed on the part in which they showed. */
const BUGS = new Set(['TypeError', 'ReferenceError', 'RangeError', 'InvariantError', 'AssertionError']);

/** SQLSTATE: five digits or capitals (ISO/IEC 9075-2, 24.1). Postgres drivers put it into `code`. */
const SQLSTATE = /^[0-9][0-9A-Z]{4}$/;

/** Returns the code for a thrown value. Total: an unknown value is an `INTERNAL_ERROR`. */
export function codeOfFailure(failure: unknown, component: string): ErrorCode {
  const code = stringAt(failure, 'code') ?? '';
  if (isErrorCode(code)) return code;
  const spawned = codeOfSpawn(failure, code);
  if (spawned !== null) return spawned;
  if (SQLSTATE.test(code)) return 'DATABASE_ERROR';
  const name = stringAt(failure, 'name') ?? '';
  if (name === 'ZodError') return 'INVALID_ARGUMENT';
  const named = own(BY_NAME, code || errnoInWords(failure));
  const fallback = own(BY_COMPONENT, component);
  if (named === 'NETWORK_ERROR' && fallback === 'DATABASE_ERROR') return fallback;
  if (named !== undefined) return named;
  if (BUGS.has(name)) return name === 'TypeError' && isFetchFailure(failure) ? 'NETWORK_ERROR' : 'INTERNAL_ERROR';
  return fallback ?? 'INTERNAL_ERROR';
}

/** Returns the code of a program that could not be started: `spawn tmux` with ENOENT, or with any other reason. */
function codeOfSpawn(failure: unknown, code: string): ErrorCode | null {
  const syscall = /^spawn(?: (\S+))?/.exec(stringAt(failure, 'syscall') ?? '');
  if (syscall === null) return null;
  if (code === 'EACCES' || code === 'EPERM') return 'PERMISSION_DENIED';
  if (code !== 'ENOENT') return 'AGENT_SPAWN_FAILED';
  const program = (syscall[1] ?? stringAt(failure, 'path') ?? '').split('/').at(-1) ?? '';
  return own(MISSING_PROGRAM, program) ?? 'AGENT_CLI_NOT_FOUND';
}

/**
 * Returns the errno in an error's words, such as `EACCES: permission denied, open '…'`: errors that crossed a process boundary keep only their
 * words.
 */
function errnoInWords(failure: unknown): string {
  const words = typeof failure === 'string' ? failure : (stringAt(failure, 'message') ?? '');
  return /^(?:\w*Error: )?(E[A-Z]{3,}[A-Z0-9_]*)\b/.exec(words)?.[1] ?? '';
}

/** Tells whether Node's fetch failed, which throws `TypeError: fetch failed` for everything the network does. */
function isFetchFailure(failure: unknown): boolean {
  return valueAt(failure, 'message') === 'fetch failed';
}

function own(table: Readonly<Record<string, ErrorCode>>, key: string): ErrorCode | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
