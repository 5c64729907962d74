/** Reaches hosts by SSH, and explains a link that was lost or never made. */
import { addAbortListener } from 'node:events';
import { messageOf } from '@drover/base';
import { createLocalHost, HostError } from '@drover/host';
import type { Host } from '@drover/host';
import {
  ConnectError,
  connectTo,
  createSshHost,
  examineHost,
  helpForDirectory,
  readShownKey,
  SystemError,
  type ConnectTools,
  type Made,
  type SshHost,
} from '@drover/host/ssh';
import type { HostFinding, ServedMachine } from '@drover/protocol';
import { TMUX_VERSION_MIN } from '@drover/tmux';
import { GIT_VERSION_MIN } from '@drover/worktree';
import type { LinkNews, OpenHost, Reach, Unreached } from './served-host.ts';

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
  readonly home: string;
  /** Words before tmux where it starts a server, so that a logout does not end it. */
  readonly startedBy: readonly string[];
}

/** Host and port as known, with any key. */
type HostKeyText = `${string} ${string}`;

/** Reaches hosts over real connections. */
export class SshReach implements Reach<OpenSshHost> {
  readonly #options: ReachOptions;
  readonly #tools: ConnectTools;
  /** Words found when each machine was examined. */
  readonly #startedBy = new Map<string, readonly string[]>();

  constructor(options: ReachOptions) {
    this.#options = options;
    const env = Object.fromEntries(Object.entries(options.env).filter(([, value]) => value !== undefined));
    this.#tools = { ...options, local: createLocalHost({ env }) };
  }

  async shownKey(machine: ServedMachine, signal: AbortSignal): ReturnType<Reach['shownKey']> {
    return readShownKey(this.#tools, { destination: destinationOf(machine), pinned: keysOf(machine), signal });
  }

  async examine(machine: ServedMachine, signal: AbortSignal): Promise<readonly HostFinding[]> {
    const { clock, newSecret, envOf } = this.#options;
    const { findings, startedBy } = await examineHost({
      connect: async () => (await this.#connect(machine, signal)).carrier,
      signal,
      clock,
      newSecret,
      least: { tmux: TMUX_VERSION_MIN, git: GIT_VERSION_MIN },
      env: envOf(machine.name),
    });
    this.#startedBy.set(machine.machineId, startedBy);
    return findings;
  }

  #connect(machine: ServedMachine, signal: AbortSignal): Promise<Made> {
    return connectTo(this.#tools, {
      signal,
      destination: destinationOf(machine),
      pinned: keysOf(machine),
      carrier: machine.connection.carrier ?? undefined,
    });
  }

  async open(machine: ServedMachine, signal: AbortSignal): Promise<OpenSshHost> {
    const { clock, chance, newSecret, envOf } = this.#options;
    let made: Made | undefined;
    const host: SshHost = createSshHost({
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
    try {
      using _ = addAbortListener(signal, () => void host[Symbol.asyncDispose]());
      const { hostId, stateDirectory, home } = await host.open();
      return {
        host,
        hostId,
        stateDirectory,
        home,
        provenKeys: () => made?.provenKeys() ?? [],
        startedBy: this.#startedBy.get(machine.machineId) ?? [],
        onChange: (listener) =>
          void host.link.onChange((state) =>
            listener(state.kind === 'up' ? { kind: 'up' } : newsOf(host.failure(), state.why)),
          ),
        [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
      };
    } catch (error) {
      await host[Symbol.asyncDispose]();
      throw error;
    }
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
