/** Explains a failure: its cause, the machine or a bug in Drover, and the remedy. */
import { messageOf } from '@drover/base';
import { CommandError } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';

/** A failure as a person reads it. */
export interface Explanation {
  readonly code: ExitCode;
  readonly message: string;
}

/** Errors of other rooms whose message is written for people. */
const WORLD: ReadonlySet<string> = new Set([
  'AgentDirectoryError',
  'ConfigError',
  'EmbeddedPostgresError',
  'GitError',
  'HostError',
  'ListenError',
  'MigrationError',
  'TmuxError',
  'TransferError',
]);

const NO_ROOM = 'Make room on the disk ("df -h" shows it), or set DROVER_DATA_DIR to another one, then repeat.';
const READ_ONLY = 'Set DROVER_DATA_DIR to a writable directory, then repeat.';
const NO_RIGHT = 'Run Drover as the user who owns it, or set DROVER_DATA_DIR to a directory of your own.';
const TOO_MANY = 'Raise the limit of open files ("ulimit -n"), then repeat.';
const NO_SERVER = 'Start the server that DATABASE_URL names, or unset it to use the Postgres that comes with Drover.';

/** Advice for an error of the operating system, by its name. */
const BY_CODE: Readonly<Record<string, string>> = {
  ENOSPC: NO_ROOM,
  EDQUOT: NO_ROOM,
  EROFS: READ_ONLY,
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
  EMFILE: TOO_MANY,
  ENFILE: TOO_MANY,
  ECONNREFUSED: NO_SERVER,
  ENOTFOUND: NO_SERVER,
};

/** Advice for messages of programs and libraries: SQLite, Postgres, git. */
const BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/no space left|disk is full|disk quota/i, NO_ROOM],
  [/read-?only (file ?system|database)/i, READ_ONLY],
  [/too many open files/i, TOO_MANY],
];

/** Names the exit status of any error and adds known advice. */
export function explain(error: unknown): Explanation {
  if (error instanceof CommandError) return { code: error.code, message: error.message };
  if (!(error instanceof Error)) return { code: 'internal', message: String(error) };
  if (error.name === 'SyncError') return explainSync(error);
  const advice = adviceFor(error);
  if (advice === null) return { code: WORLD.has(error.name) ? 'environment' : 'internal', message: messageOf(error) };
  return { code: 'environment', message: `${messageOf(error).trimEnd().replace(/[.:]$/, '')}. ${advice}` };
}

/** Explains a failed call of a coordinator: the operating system's message is about the network, not about this machine. */
function explainSync(error: Error): Explanation {
  const { message } = error;
  const reason = 'code' in error ? String(error.code) : '';
  const code = SYNC_STATUS[reason] ?? 'refused';
  return { code, message: code === 'unreachable' ? `${message}. ${NO_COORDINATOR}` : message };
}

const NO_COORDINATOR = 'Is the address correct, and is "drover server coordinator" or "drover up" running there?';

/** Exit status of a failure by its code; any other failure is a refusal, whose message gives advice. */
const SYNC_STATUS: Readonly<Record<string, ExitCode>> = {
  unreachable: 'unreachable',
  'bad-answer': 'unreachable',
  unavailable: 'unreachable',
  busy: 'unreachable',
  silent: 'unreachable',
  'no-socket': 'unreachable',
  'turn-later': 'unreachable',
  unauthorized: 'unauthorized',
  'join-refused': 'unauthorized',
};

/** Finds advice; reads the causes, too: often only the innermost names the fault. */
function adviceFor(error: Error): string | null {
  const byCode = 'code' in error && typeof error.code === 'string' ? BY_CODE[error.code] : undefined;
  if (byCode !== undefined) return byCode;
  const byMessage = BY_MESSAGE.find(([words]) => words.test(error.message))?.[1];
  if (byMessage !== undefined) return byMessage;
  return error.cause instanceof Error ? adviceFor(error.cause) : null;
}
