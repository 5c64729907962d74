/** The environment that a person who logs in on this machine has: what the startup files of their shell make of a bare one. */
import { basename } from 'node:path';
import { HostError } from '../errors.ts';
import {
  LOGIN_BYTES_MAX,
  LOGIN_MS,
  printEnvironment,
  printEnvironmentOfCsh,
  readPrinted,
} from '../login/login-shell.ts';
import { runProgram } from './run-program.ts';

/** The start of a login shell. */
interface LoginShell {
  /** Absolute path. */
  readonly shell: string;
  /** The bare environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The directory in which it runs: one of a project may have an environment of its own. */
  readonly home: string;
  /** A word of letters, digits and `-` that no startup file prints. */
  readonly mark: string;
  /** Default: 10 s. */
  readonly timeoutMs?: number;
}

/** `silent`: it told nothing that could be read; `why` follows the words "the login shell". */
type LoginAnswer =
  | { readonly kind: 'told'; readonly variables: Readonly<Record<string, string>> }
  | { readonly kind: 'silent'; readonly why: string };

/** Users of services have these: nobody logs in, and no startup file is theirs. */
const NO_SHELLS = new Set(['nologin', 'false', 'true', 'sync']);

/** Asks a login shell once, with a time limit; what it prints besides, and how it ends, does no harm. Never throws. */
export async function askLoginShell(login: LoginShell): Promise<LoginAnswer> {
  const { env, home, mark, timeoutMs = LOGIN_MS } = login;
  const shell = NO_SHELLS.has(basename(login.shell)) ? '/bin/sh' : login.shell;
  const isCsh = /^t?csh$/u.test(basename(shell));
  const args = isCsh ? ['-ic', printEnvironmentOfCsh(mark)] : ['-l', '-i', '-c', printEnvironment(mark)];
  try {
    const outcome = await runProgram(
      { program: shell, args, cwd: home, env: { ...env, TERM: 'dumb', SHELL: shell } },
      { timeoutMs, outputBytesMax: LOGIN_BYTES_MAX, excess: 'drop' },
    );
    const variables = readPrinted(outcome.stdout, mark);
    if (variables !== undefined) return { kind: 'told', variables };
    if (outcome.timedOut) return { kind: 'silent', why: `"${shell}" did not answer within ${timeoutMs / 1000} s` };
    return { kind: 'silent', why: `"${shell}" ended before it printed its environment (${endOf(outcome)})` };
  } catch (error) {
    if (error instanceof HostError) return { kind: 'silent', why: `"${shell}" could not be started: ${error.message}` };
    throw error;
  }
}

function endOf({
  status,
  signal,
}: {
  readonly status: number | undefined;
  readonly signal: string | undefined;
}): string {
  return signal ?? `status ${status}`;
}
