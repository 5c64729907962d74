/** Composes a gateway: its identity, the connections to its hosts, and an agent for each. */
import { join } from 'node:path';
// oxlint-disable-next-line no-restricted-imports -- tells of the machine on which the gateway itself runs
import { createLocalHost } from '@drover/host';
import { Redactor } from '@drover/protocol';
import { withoutWithheld } from '../host/program-environment.ts';
import { loadMachineKeys } from '../identity/machine-key.ts';
import { machineFacts, startMachineAgent } from '../machine-agent.ts';
import { urlsOf, type MachineAgentOptions } from '../options.ts';
import { AgentDatabase, openDirectory } from '../store/database.ts';
import { postOverHttp } from '../sync/http-adapter.ts';
import { coordinatorOf } from '../sync/identity.ts';
import { hostKeyFor, prepareHostDirectory } from './directory.ts';
import { Gateway } from './gateway.ts';
import { SshReach, type OpenSshHost } from './reach.ts';
import { ServedHost } from './served-host.ts';

/** Options that all agents of a gateway share, and its own. */
export interface GatewayStart extends Pick<
  MachineAgentOptions,
  | 'coordinatorUrl'
  | 'joinToken'
  | 'profiles'
  | 'accounts'
  | 'documents'
  | 'shardSize'
  | 'env'
  | 'version'
  | 'redactor'
  | 'log'
  | 'clock'
  | 'ids'
  | 'random'
  | 'signal'
  | 'transport'
> {
  /** Private directory of the gateway: its own key, and a directory for each machine. At most one gateway at a time. */
  readonly dataDir: string;
  /** Short private directory for control sockets. */
  readonly runtimeDir: string;
  readonly name: string;
  /** Makes a word that is never used twice and that others cannot guess. */
  readonly newSecret: () => string;
  /** Limits of the gateway's owner on all its machines, except for the places. */
  readonly ceilings?: MachineAgentOptions['ceilings'];
  readonly envOf?: (machineName: string) => Readonly<Record<string, string>>;
}

/** Running gateway. Disposing it ends it and the links to its hosts, never a pane. */
export interface RunningGateway extends AsyncDisposable {
  readonly ended: Promise<void>;
}

/** @throws AgentDirectoryError when another gateway runs on the data directory, or it cannot be used. */
export function startGateway(options: GatewayStart): RunningGateway {
  const { clock, log, dataDir, random, ids, version, joinToken, name, newSecret } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const db = new AgentDatabase(openDirectory(dataDir));
  const redactor = options.redactor ?? new Redactor();
  const local = createLocalHost({ env: withoutWithheld(options.env) });
  const reach = new SshReach({
    env: options.env,
    clock,
    directory: options.runtimeDir,
    newSecret,
    chance: random,
    envOf: options.envOf ?? (() => ({})),
  });
  const gateway = new Gateway({
    urls: urlsOf(options.coordinatorUrl),
    identity: {
      db,
      keys: loadMachineKeys(dataDir),
      machineName: name,
      joinToken,
      agentEpoch: db.fact('agent-epoch', ids),
      version,
      facts: () => machineFacts(local, redactor),
      places: null,
      salt: ids,
      log,
    },
    post: postOverHttp,
    clock,
    random,
    log,
    signal,
    keyFor: (machineId) => hostKeyFor(dataDir, machineId),
    serve: (machine, onNews) =>
      new ServedHost({
        machine,
        reach,
        startAgent: (served, host) =>
          startHostAgent(options, { machine: served, host, coordinator: coordinatorOf(db) }),
        after: (delayMs, run) => clock.after(delayMs, run),
        log,
        onNews,
      }).start(),
  });
  const ended = gateway.run().finally(() => db[Symbol.dispose]());
  return {
    ended,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}

interface Started {
  readonly machine: ServedHost['machine'];
  readonly host: OpenSshHost;
  readonly coordinator: string;
}

/** Starts the agent's core, whose panes, clones and hooks are on the host, and whose journal is here. */
function startHostAgent(options: GatewayStart, { machine, host, coordinator }: Started): Promise<AsyncDisposable> {
  const { machineId, epoch, name } = machine;
  const { stateDirectory, runtimeDir, home } = host;
  const workspace = join(stateDirectory, 'workspace');
  return startMachineAgent({
    ...options,
    joinToken: undefined,
    host: host.host,
    dataDir: prepareHostDirectory(options.dataDir, { machineId, epoch, coordinator }),
    machineDir: stateDirectory,
    runtimeDir,
    machineName: name,
    places: { workspace, roots: {} },
    ceilings: { ...options.ceilings, roots: [workspace] },
    env: {},
    home,
    tmuxEpoch: epoch,
    tmuxStartedBy: host.startedBy.length === 0 ? undefined : host.startedBy,
  });
}
