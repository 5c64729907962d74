/**
 * Examines whether a machine that answers to SSH can serve as a host, and what it lacks. Leaves nothing there but the connection, which then
 * serves; a connection on which shells of the examination stay is closed.
 */
import type { Duplex } from 'node:stream';
import type { LocalClock } from '@drover/base';

import { type Carrier, CarrierError } from '../carrier.ts';
import { endWhenAborted } from '../connect/end-when-aborted.ts';
import { ConnectError } from '../connect/errors.ts';
import { readEnvironment } from '../link/environment.ts';
import { forwardWithin } from '../machine/loopback.ts';
import type { ShellOwner } from '../shell/bootstrap.ts';
import { type OpenShell, openShell } from '../shell/open-shell.ts';
import { ShellPool } from '../shell/shell-pool.ts';
import { type HostAnswers, type HostFinding, judgeHost, scopeFor, SESSIONS_WANTED } from './findings.ts';
import type { NeededProgram } from './install.ts';
import { askHost } from './questions.ts';

/** A port at which nothing listens on most machines. A listener there would do as well. */
const ANY_PORT = 1;

export interface ExamineTools {
  /** Ends the connection. Default: none. */
  readonly signal?: AbortSignal;
  readonly clock: LocalClock;
  /** A word of letters and digits that is never used twice. */
  readonly newSecret: () => string;
  /** The oldest version of each program that serves. */
  readonly least: Readonly<Record<NeededProgram, string>>;
  /** Variables that win over those of the machine. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Result of an examination. */
export interface Examination {
  /** Tells whether the machine can serve: none of its findings is a `problem`. */
  readonly canServe: boolean;
  readonly findings: readonly HostFinding[];
  /** Answers of the machine; undefined where no command runs. */
  readonly answers: HostAnswers | undefined;
  /** Words before tmux where it starts a server, so that a logout does not end it. */
  readonly startedBy: readonly string[];
  /** Milliseconds there and back; undefined where no command runs. */
  readonly roundTripMs: number | undefined;
  /** Variables that programs inherit there; undefined where no command runs. */
  readonly environment: Readonly<Record<string, string>> | undefined;
}

/**
 * Looks at all that a host needs, and says for each lack what to do.
 *
 * @throws ConnectError where the connection was lost. A machine on which no command runs is a finding.
 */
export async function examineHost(carrier: Carrier, tools: ExamineTools): Promise<Examination> {
  using _ = endWhenAborted(tools.signal, () => carrier.end('Its caller gave up'));
  try {
    return await examine(carrier, tools);
  } catch (error) {
    if (error instanceof ConnectError && error.code === 'no-shell') return withoutShell(error.message);
    if (!(error instanceof CarrierError)) throw error;
    if (error.reason === 'refused') return withoutShell(`The server opens no channel: ${error.message}`);
    throw new ConnectError('unreachable', `The connection was lost: ${error.message}`, { cause: error });
  }
}

async function examine(carrier: Carrier, { clock, newSecret, least, env = {} }: ExamineTools): Promise<Examination> {
  // A name of its own: nothing that serves this machine is ended, and no epoch is claimed.
  const owner: ShellOwner = { machine: newSecret(), connection: newSecret() };
  const roundTrips: number[] = [];
  const pool = new ShellPool({ carrier, owner, clock, newMark: newSecret, onRoundTrip: (ms) => roundTrips.push(ms) });
  // Runs before the variables of a login: who serves the machine claims its epoch without them.
  const places = await pool.run(
    Buffer.from('printf "%s\\n" "$HOME" "${XDG_STATE_HOME:-$HOME/.local/state}/drover"'),
    LIMITS,
  );
  if (places.kind === 'lost') throw new CarrierError('lost', 'it was cut off');
  const [home = '', stateDirectory = ''] = places.stdout.toString().split('\n');
  const login = await readEnvironment(pool, { given: env, mark: newSecret(), home });
  pool.configure({ environment: login.variables, fence: undefined });
  const told = await askHost(pool, { clock, stateDirectory, localeOverride: login.variables['LC_ALL'] });
  const roundTripMs = Math.min(...roundTrips);
  const { sessions, startMs } = await countSessions(carrier, owner, clock);
  const isClear = await pool.close();
  const forwards = await canForward(carrier, clock);
  // Shells that stay hold channels which the service of the machine needs: it gets another connection.
  if (!isClear) await carrier[Symbol.asyncDispose]();
  const answers: HostAnswers = {
    ...told,
    isFromLogin: login.isFromLogin,
    startMs: Math.max(0, Math.round(startMs - roundTripMs)),
    sessions,
    forwards,
  };
  const findings = judgeHost(answers, least);
  const canServe = findings.every(({ level }) => level !== 'problem');
  return {
    canServe,
    findings,
    answers,
    startedBy: scopeFor(answers.logout),
    roundTripMs,
    environment: login.variables,
  };
}

const LIMITS = { timeoutMs: 10_000, outputBytesMax: 4096, excess: 'drop' } as const;

/** Opens shells one after another, so that the first tells how long one takes. The first shell waits already. */
async function countSessions(
  carrier: Carrier,
  owner: ShellOwner,
  clock: LocalClock,
): Promise<{ readonly sessions: number; readonly startMs: number }> {
  const opened: OpenShell[] = [];
  const started = clock.elapsed();
  let startMs = 0;
  try {
    while (opened.length + 1 < SESSIONS_WANTED) {
      opened.push(await openShell(carrier, owner, clock));
      if (opened.length === 1) startMs = clock.elapsed() - started;
    }
  } catch (error) {
    const isRefused = error instanceof CarrierError && error.reason === 'refused';
    if (!isRefused && !(error instanceof ConnectError)) throw error;
  } finally {
    for (const { channel } of opened) {
      channel.input.end();
      channel.close();
    }
  }
  return { sessions: opened.length + 1, startMs };
}

async function canForward(carrier: Carrier, clock: LocalClock): Promise<boolean> {
  let stream: Duplex;
  try {
    stream = await forwardWithin({ forward: (port) => carrier.forward(port), clock }, ANY_PORT);
  } catch (error) {
    return error instanceof CarrierError && error.reason === 'no-listener';
  }
  stream.destroy();
  return true;
}

function withoutShell(says: string): Examination {
  const help = 'Let the user run commands: look at the login shell, its startup files, "command=" and ForceCommand';
  const finding: HostFinding = { check: 'shell', level: 'problem', says, help, command: null };
  const unknown = { answers: undefined, roundTripMs: undefined, environment: undefined };
  return { canServe: false, findings: [finding], startedBy: [], ...unknown };
}
