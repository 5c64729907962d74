/** Reaches hosts by SSH, and explains a link that was lost or never made. */
import { addAbortListener } from 'node:events';
import { join } from 'node:path';
import { messageOf } from '@drover/base';
// oxlint-disable-next-line no-restricted-imports -- ssh and its files are where the gateway runs
import { createLocalHost, HostError } from '@drover/host';
import type { Host } from '@drover/host';
import {
  ConnectError,
  connectTo,
  createSshHost,
  helpForDirectory,
  readShownKey,
  SystemError,
  type ConnectTools,
  type Made,
} from '@drover/host/ssh';
import type { ServedMachine } from '@drover/protocol';
import { endServers, TMUX_VERSION_MIN } from '@drover/tmux';
import { GIT_VERSION_MIN } from '@drover/worktree';
import type { Connection, LinkNews, OpenHost, Reach, Unreached } from './served-host.ts';

export interface ReachOptions extends Omit<ConnectTools, 'local'> {
  /** Number in [0, 1), for jitter. */
  readonly chance: () => number;
  /** Variables that win over those of the machine, by its name. */
  readonly envOf: (machineName: string) => Readonly<Record<string, string>>;
}

/** Open host, for the agent that runs on it. */
export interface OpenSshHost extends OpenHost {
  readonly host: Host;
  /** Directory in which Drover keeps the machine's data. */
  readonly stateDirectory: string;
  /** Directory of the sockets of its tmux servers. */
  readonly runtimeDir: string;
  readonly home: string;
  /** Words before tmux where it starts a server, so that a logout does not end it. */
  readonly startedBy: readonly string[];
}

/** Oldest versions that serve. */
const LEAST = { tmux: TMUX_VERSION_MIN, git: GIT_VERSION_MIN };

/** Host and port as known, with any key. */
type HostKeyText = `${string} ${string}`;

/** Reaches hosts over real connections. */
export class SshReach implements Reach<OpenSshHost> {
  readonly #options: ReachOptions;
  readonly #tools: ConnectTools;

  constructor(options: ReachOptions) {
    this.#options = options;
    const env = Object.fromEntries(Object.entries(options.env).filter(([, value]) => value !== undefined));
    this.#tools = { ...options, local: createLocalHost({ env }) };
  }

  async shownKey(machine: ServedMachine, signal: AbortSignal): ReturnType<Reach['shownKey']> {
    return readShownKey(this.#tools, { destination: destinationOf(machine), pinned: keysOf(machine), signal });
  }

  connect(machine: ServedMachine, signal: AbortSignal): Connection<OpenSshHost> {
    const { clock, chance, newSecret, envOf } = this.#options;
    let made: Made | undefined;
    let startedBy: readonly string[] = [];
    const host = createSshHost({
      connect: async ({ signal: closing }) => {
        made = await this.#connect(machine, closing);
        return made.carrier;
      },
      machine: machine.machineId,
      epoch: machine.epoch,
      hostId: machine.hostId ?? undefined,
      env: envOf(machine.name),
      clock,
      chance,
      newSecret,
    });
    const given = addAbortListener(signal, () => void host[Symbol.asyncDispose]());
    return {
      async examine() {
        const examination = await host.examine(LEAST);
        startedBy = examination.startedBy;
        return examination.findings;
      },
      async open() {
        const { hostId, stateDirectory, home } = await host.open();
        return {
          host,
          hostId,
          stateDirectory,
          runtimeDir: runtimeDirIn(stateDirectory),
          home,
          provenKeys: () => made?.provenKeys() ?? [],
          startedBy,
          onChange: (listener) =>
            void host.link.onChange((state) =>
              listener(state.kind === 'up' ? { kind: 'up' } : newsOf(host.failure(), state.why)),
            ),
        };
      },
      async tidy() {
        const arrival = host.arrival();
        if (arrival === undefined) return;
        await endServers({ host, clock }, runtimeDirIn(arrival.stateDirectory), { which: 'empty' });
      },
      async [Symbol.asyncDispose]() {
        given[Symbol.dispose]();
        await host[Symbol.asyncDispose]();
      },
    };
  }

  #connect(machine: ServedMachine, signal: AbortSignal): Promise<Made> {
    return connectTo(this.#tools, {
      signal,
      destination: destinationOf(machine),
      pinned: keysOf(machine),
      carrier: machine.connection.carrier ?? undefined,
    });
  }

  unreached(error: unknown): Unreached {
    if (error instanceof ConnectError) return { code: error.code, why: error.message, retry: error.retry };
    if (error instanceof HostError) return { code: error.code, why: error.message, retry: true };
    // While its agent starts, all files are written to Drover's own directory there.
    if (error instanceof SystemError && !error.isAbsence)
      return { code: 'no-directory', why: `${error.message}. ${helpForDirectory(error.message)}`, retry: true };
    return { code: 'failed', why: messageOf(error), retry: true };
  }
}

function runtimeDirIn(stateDirectory: string): string {
  return join(stateDirectory, 'run');
}

function newsOf(failure: ConnectError | undefined, why: string): LinkNews {
  return { kind: 'down', code: failure?.code ?? 'unreachable', why, retry: failure?.retry ?? true };
}

/** Arguments for ssh, which itself reads `~` as the home directory of the gateway's user. */
function destinationOf({ connection: { destination, port, identity, jump } }: ServedMachine): {
  name: string;
  port: number | undefined;
  identity: string | undefined;
  jump: string | undefined;
} {
  return { name: destination, port: port ?? undefined, identity: identity ?? undefined, jump: jump ?? undefined };
}

function keysOf({ pinned }: ServedMachine): readonly HostKeyText[] {
  return pinned.flatMap((key) => {
    const [kind, bytes] = key.split(' ');
    return kind === undefined || bytes === undefined ? [] : [`${kind} ${bytes}` as const];
  });
}
