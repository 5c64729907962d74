/** Starts a tmux server of Drover's own, and sets it up. */
import { type Clock, pause } from '@drover/base';
import type { Chain } from '../commands/command.ts';
import { TmuxError } from '../errors.ts';
import type { CommandRunner, Replies } from '../commands/runner.ts';
import { firstError, linesOf } from '../commands/runner.ts';
import type { SpawnedCommands } from '../commands/spawned.ts';
import { FIT_TO_CLIENTS } from '../panes/size.ts';
import { checkClaim, claimOf, type Epoch } from './epoch.ts';
import { abilitiesOf, type Abilities } from './versions.ts';

/** Session that holds the server open and the control client; it never has a worker. */
export const HUB = '_hub';

/** Milliseconds for a command that may have to start the server first. */
const START_MS = 10_000;
/** Tries, and milliseconds between them, while an old server still leaves the socket. */
const START_TRIES = 20;
const START_PAUSE_MS = 50;
/** Rows of history that tmux keeps for each pane; at 500 columns at most about 10 MB. */
const HISTORY_ROWS = 5_000;

/** Identity of the server that answered. When pid or start change, every previous pane is gone. */
export interface ServerIdentity {
  readonly pid: number;
  /** Start in epoch seconds. */
  readonly start: number;
}

export interface ServerGreeting {
  readonly identity: ServerIdentity;
  readonly abilities: Abilities;
  /** Name of the client that asked; empty for a spawned command. */
  readonly clientName: string;
  /** Process id of that client. */
  readonly clientPid: number;
}

/**
 * Starts the server and its hub unless they run. Safe to repeat and to race, also against a server
 * on the same socket that is just ending.
 */
export async function ensureHub(spawned: SpawnedCommands, clock: Clock): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await createHub(spawned);
      return;
    } catch (error) {
      const isEnding = error instanceof TmuxError && error.code === 'server-gone';
      if (!isEnding || attempt === START_TRIES) throw error;
      await pause(clock, START_PAUSE_MS);
    }
  }
}

async function createHub(spawned: SpawnedCommands): Promise<void> {
  const create: Chain = [
    ['new-session', '-d', '-s', HUB, '-x', '80', '-y', '24', '--', 'env', 'cat'],
    ...SERVER_SETTINGS,
  ];
  const answer = await spawned.start(create, { timeoutMs: START_MS });
  const error = firstError(answer);
  if (error === undefined || error.includes('duplicate session')) return;
  throw new TmuxError('refused', `Could not start a tmux server: ${error}`);
}

/**
 * Asks the server for its identity, and makes it obey an epoch, in one request: on a remote machine each request costs a round trip.
 *
 * @throws TmuxError `tmux-too-old`; `fenced` when it obeys a higher epoch; `refused` when the answer makes no sense.
 */
export async function greet(runner: CommandRunner, epoch: Epoch): Promise<ServerGreeting> {
  const format = 'hello|#{version}|#{pid}|#{start_time}|#{client_pid}|#{client_name}';
  const hello: Chain = [['display-message', '-p', format]];
  const answer = await runner.exec([hello, ...claimOf(epoch)], { timeoutMs: START_MS });
  const greeting = readGreeting(answer);
  checkClaim(answer, epoch);
  return greeting;
}

function readGreeting(answer: Replies): ServerGreeting {
  const line = linesOf(answer).find((text) => text.startsWith('hello|'));
  const [, version, pid, start, clientPid, clientName] = line?.split('|') ?? [];
  if (version === undefined || pid === undefined || start === undefined) {
    throw new TmuxError('refused', `tmux did not say who it is: ${firstError(answer) ?? line}`);
  }
  return {
    identity: { pid: Number(pid), start: Number(start) },
    abilities: abilitiesOf(version),
    clientName: clientName ?? '',
    clientPid: Number(clientPid),
  };
}

/** Settings that every pane of the server relies on; `-q` skips settings that an older tmux does not know. */
export const SERVER_SETTINGS: Chain = [
  ['set-option', '-q', '-g', 'remain-on-exit', 'on'], // the exit status stays to be read
  ['set-option', '-q', '-g', 'remain-on-exit-format', ''], // and so does the last screen
  ['set-option', '-q', '-s', 'exit-empty', 'off'],
  ['set-option', '-q', '-g', 'update-environment', ''], // workers get what they are given
  ['set-option', '-q', '-g', 'default-terminal', 'screen-256color'], // known everywhere
  ['set-option', '-q', '-g', 'history-limit', String(HISTORY_ROWS)],
  ['set-option', '-q', '-s', 'set-clipboard', 'off'], // no pane writes a person's clipboard
  ['set-option', '-q', '-g', 'allow-rename', 'off'],
  ['set-option', '-q', '-g', 'automatic-rename', 'off'], // it costs two looks a second at a pane
  ['set-option', '-q', '-g', 'bell-action', 'none'],
  ...FIT_TO_CLIENTS,
];

/**
 * Makes tmux report the death of a pane. The news holds `secret` and only means "look now": the list of panes tells what happened, so a lost,
 * doubled or forged message does no harm.
 */
export function exitNewsHook({ abilities, clientName }: ServerGreeting, secret: string): Chain {
  switch (abilities.exitNews) {
    case 'message': // without -c it would go to a person's client
      return hook(`display-message -c '${clientName}' '${secret} #{hook_pane}'`);
    case 'rename':
      return hook(`run-shell -b -C "rename-window -t =${HUB}: '${secret} #{hook_pane}'"`);
    case 'none':
      return [['set-hook', '-gu', 'pane-died']];
    default:
      return abilities.exitNews satisfies never;
  }
}

function hook(command: string): Chain {
  return [['set-hook', '-g', 'pane-died', command]];
}
