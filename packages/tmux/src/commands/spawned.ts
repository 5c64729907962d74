/** Runs tmux commands without a control connection: one process per chain. */
import type { EnvironmentChange, Host, RunOutcome } from '@drover/host';
import { type Chain, renderChain } from './command.ts';
import { derivedWord } from '../derived-word.ts';
import { TmuxError } from '../errors.ts';
import type { CommandRunner, Replies, Reply } from './runner.ts';

/** Parts of a machine that the driver uses. */
export type TmuxHost = Pick<Host, 'run' | 'spawnStream' | 'stat' | 'processes' | 'link' | 'noteTime'>;

/** Address of a tmux server, and settings for its start. */
export interface TmuxPlace {
  readonly host: TmuxHost;
  /** A socket of Drover's own: by name (in tmux's directory) or by path. */
  readonly socket: { readonly kind: 'name'; readonly name: string } | { readonly kind: 'path'; readonly path: string };
  /** The tmux program. Default `tmux`. */
  readonly program?: string;
  /** Changes to the environment that a new server, and so every pane, inherits. */
  readonly env?: EnvironmentChange;
  /** Words before the program where it may start the server, such as `systemd-run --scope`. Default: none. */
  readonly startedBy?: readonly string[];
}

export interface TmuxAddress {
  readonly host: TmuxHost;
  /** Name or path of the program. */
  readonly program: string;
  /** `-L name` or `-S path`. */
  readonly socket: readonly string[];
  readonly env: EnvironmentChange;
  /** Words before the program where it may start the server, such as `systemd-run --scope`. Absent: none. */
  readonly startedBy?: readonly string[];
}

/** Uses Drover's own settings only: a person's tmux.conf could change keys, sizes, hooks. */
export function addressOf({ host, socket, program = 'tmux', env = {}, startedBy }: TmuxPlace): TmuxAddress {
  return {
    host,
    program,
    socket: [...(socket.kind === 'name' ? ['-L', socket.name] : ['-S', socket.path]), '-f', '/dev/null'],
    env: { ...env, TMUX: undefined, TMUX_PANE: undefined },
    ...(startedBy !== undefined && { startedBy }),
  };
}

/**
 * Fallback without a connection: slower by a process for each chain, but without state that could wedge. Commands travel by standard input:
 * every user of the machine can read the arguments of a process, and commands hold prompts and environments.
 */
export class SpawnedCommands implements CommandRunner {
  readonly via = 'spawned';
  readonly #address: TmuxAddress;
  readonly #secret: string;
  #sequence = 0;

  constructor(address: TmuxAddress, secret: string) {
    this.#address = address;
    this.#secret = secret;
  }

  async exec(chains: readonly Chain[], { timeoutMs }: { timeoutMs: number }): Promise<Replies> {
    const replies: Reply[] = [];
    for (const chain of chains) replies.push(...(await this.#chain(chain, timeoutMs)));
    return replies;
  }

  /** Runs a chain that may start the server first. The arguments stay visible as long as the server runs, so the chain must hold no secret. */
  async start(chain: Chain, { timeoutMs }: { timeoutMs: number }): Promise<Replies> {
    const mark = this.#newMark();
    const args = marked(chain, mark).flatMap((command) => [...command.map(keepSemicolon), ';']);
    const words = args.slice(0, -1);
    const { startedBy } = this.#address;
    if (startedBy !== undefined) {
      // The starter itself may fail: then tmux starts the server directly. A second try does no harm.
      const outcome = await this.#run(words, { timeoutMs, before: startedBy }).catch(() => null);
      if (outcome?.status === 0) return split(Buffer.from(outcome.stdoutBytes), mark);
    }
    return this.#replies(words, { mark, timeoutMs });
  }

  #chain(chain: Chain, timeoutMs: number): Promise<Replies> {
    const mark = this.#newMark();
    return this.#replies(['source-file', '-'], { mark, timeoutMs, input: `${renderChain(marked(chain, mark))}\n` });
  }

  /** Makes a word for this process alone: the arguments of a server's first client stay visible as long as the server runs. */
  #newMark(): string {
    return derivedWord(this.#secret, `spawned ${(this.#sequence += 1)}`);
  }

  async #replies(
    args: readonly string[],
    { mark, timeoutMs, input }: { mark: string; timeoutMs: number; input?: string },
  ): Promise<Replies> {
    const { stdoutBytes, stderr, status } = await this.#run(args, { timeoutMs, ...(input !== undefined && { input }) });
    const replies = split(Buffer.from(stdoutBytes), mark);
    return status === 0 ? replies : [...replies, { ok: false, body: Buffer.from(stderr.trimEnd()) }];
  }

  async #run(
    args: readonly string[],
    { timeoutMs, input, before = [] }: { timeoutMs: number; input?: string; before?: readonly string[] },
  ): Promise<RunOutcome> {
    const { host, program, socket, env } = this.#address;
    const [first = program, ...words] = [...before, program, '-u', ...socket, ...args];
    const outcome = await host.run(first, words, {
      env,
      timeoutMs,
      ...(input === undefined ? {} : { input }),
    });
    if (outcome.timedOut) {
      throw new TmuxError('timed-out', `"${program} ${args[0]}" took more than ${timeoutMs} ms`);
    }
    if (outcome.status !== 0 && isServerGone(outcome.stderr)) {
      throw new TmuxError('server-gone', `tmux has no server here: ${outcome.stderr.trim()}`);
    }
    return outcome;
  }
}

/** Prints the mark after each command of the chain. */
function marked(chain: Chain, mark: string): Chain {
  return chain.flatMap((command): Chain => [command, ['display-message', '-p', mark]]);
}

/** Recognizes tmux's messages for "there is no server behind this socket". */
function isServerGone(stderr: string): boolean {
  return /no server running|error connecting to|server exited|lost server/.test(stderr);
}

/** Escapes a last `;`, with which the shell form of tmux would end the command. */
function keepSemicolon(argument: string): string {
  return argument.endsWith(';') ? `${argument.slice(0, -1)}\\;` : argument;
}

/** Cuts the output of a process into the replies of its commands, each followed by the mark. */
function split(output: Buffer, word: string): Reply[] {
  const mark = Buffer.from(`${word}\n`);
  const replies: Reply[] = [];
  let rest = output;
  for (let at = rest.indexOf(mark); at >= 0; at = rest.indexOf(mark)) {
    const body = rest.subarray(0, at);
    replies.push({ ok: true, body: body.at(-1) === 0x0a ? body.subarray(0, -1) : body });
    rest = rest.subarray(at + mark.length);
  }
  return replies;
}
