/** Options that a composition root gives to a machine agent. */
import type { LocalClock, Log } from '@drover/base';
import type { Config } from '@drover/config';
import type { Host } from '@drover/host';
import type { HelloRequest, Redactor } from '@drover/protocol';
import type { Profile } from '@drover/screen';
import type { Ceilings } from './execute/ceilings.ts';
import type { CrashPoint } from './crash-point.ts';

/** All inputs of an agent, which reads nothing else from the environment or the clock. */
export interface MachineAgentOptions {
  /** Base URL of the coordinator, or several separated by commas: replicas, tried in turn. */
  readonly coordinatorUrl: string;
  /** Machine with the panes. Default: the machine that this process runs on. */
  readonly host?: Host | undefined;
  /** Private directory for key, journal, buffer and drafts, where this process runs. At most one agent at a time. */
  readonly dataDir: string;
  /** Private directory of Drover on the machine with the panes: hooks, depots, parcels, homes of cages. Default: `dataDir`. */
  readonly machineDir?: string | undefined;
  /** Short private directory for sockets. */
  readonly runtimeDir: string;
  /** Name of this machine for people. */
  readonly machineName: string;
  /** Single-use token of `drover machine invite`; needed until the machine has joined. */
  readonly joinToken?: string | undefined;
  /** `[profiles.*]` of the configuration: program, arguments and environment by profile. */
  readonly profiles: Config['profiles'];
  /** `[accounts.*]` of the configuration. Default: none. */
  readonly accounts?: Config['accounts'] | undefined;
  /** Profile documents. Default: those that come with Drover. */
  readonly documents?: ReadonlyMap<string, Profile> | undefined;
  /** Directories for checkouts of projects here. */
  readonly places: NonNullable<HelloRequest['places']>;
  /** Limits that the machine's owner sets, whatever the coordinator commands. Absent: the coordinator is trusted. */
  readonly ceilings?: Partial<Ceilings> | undefined;
  /** Workers on one tmux server (`agent.shard_size`). Absent: all on one. */
  readonly shardSize?: number | undefined;
  /** Words before tmux where it may start a server, such as `systemd-run --scope`. Absent: none. */
  readonly tmuxStartedBy?: readonly string[] | undefined;
  /** Epoch for tmux that others may drive, too: the servers obey the highest so far. Absent: this agent is alone with them. */
  readonly tmuxEpoch?: number | undefined;
  /** Environment of the programs that the agent starts, as `makeProgramEnvironment` makes it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Program and arguments of `drover hook`, for agents that let a failed tool be answered. Absent: none is. */
  readonly hookCommand?: readonly string[] | undefined;
  /** Directories that no isolated worker may see, besides those of the agent: Drover's other data, logins, sockets. */
  readonly hidden?: readonly string[] | undefined;
  /** Directories that hooks of isolated workers need: the installations of Drover and its Node. */
  readonly programs?: readonly string[] | undefined;
  /** Home directory of the user, where coding agents keep their transcripts. */
  readonly home: string;
  /** Version of this build, for the coordinator's list of machines. */
  readonly version: string;
  /** Takes secrets out of all that leaves the machine. Absent: by known forms alone. */
  readonly redactor?: Redactor | undefined;
  readonly log: Log;
  readonly clock: LocalClock;
  /** Makes a new UUID. */
  readonly ids: () => string;
  /** Number in [0, 1), for jitter. */
  readonly random: () => number;
  /** Ends the agent; panes go on. */
  readonly signal: AbortSignal;
  /** Called whenever the coordinator has answered the first message after a hello. */
  readonly onConnected?: (() => void) | undefined;
  /** Transport. `auto`: WebSocket, and long poll if no WebSocket can be had. */
  readonly transport?: 'auto' | 'poll' | undefined;
  /** Called at each crash point of each command, with the command's kind; for tests of recovery. */
  readonly crashPoint?: ((point: CrashPoint, kind: string) => void) | undefined;
}

/** Addresses of `coordinatorUrl`, in the order in which they are tried. */
export function urlsOf(coordinatorUrl: string): readonly string[] {
  return coordinatorUrl.split(',').map((url) => url.trim());
}
