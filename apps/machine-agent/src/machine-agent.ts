/** Composes a machine agent, starts its parts in order, and closes them. */
// oxlint-disable-next-line no-restricted-imports -- makes the local host where no other one is given
import { createLocalHost, type Host } from '@drover/host';
import { type HelloRequest, Redactor } from '@drover/protocol';
import { BUILT_IN_PROFILES, type Profile } from '@drover/screen';
import { join } from 'node:path';
import { Cages } from './cage/cages.ts';
import { Channels } from './channels/channels.ts';
import { ConditionWatch } from './condition/condition.ts';
import { tightestDisk } from './condition/disk.ts';
import { Programs } from './condition/programs.ts';
import { keysOf } from './host/logins.ts';
import { UsageWatch } from './conversation/usage-watch.ts';
import { Core, openStores } from './core.ts';
import { filesOnDisk } from './deliver/records.ts';
import { carryOut } from './execute/carry-out.ts';
import { confineTo, NO_CEILINGS } from './execute/ceilings.ts';
import { depotsOf } from './execute/depots.ts';
import type { Hands } from './execute/ports.ts';
import { answerQuery } from './execute/queries.ts';
import type { Tools } from './execute/tools.ts';
import { withoutWithheld } from './host/program-environment.ts';
import { ProgramVersions } from './host/program-versions.ts';
import { askVersion } from './host/version-line.ts';
import { realPathOf } from './host/real-path.ts';
import { loadMachineKeys } from './identity/machine-key.ts';
import { urlsOf, type MachineAgentOptions } from './options.ts';
import { Profiles } from './panes/agent-profile.ts';
import { understand } from './panes/pane.ts';
import { startsNotedIn } from './panes/machine-starts.ts';
import { Panes } from './panes/panes.ts';
import { ServerRecord } from './panes/tmux/server-record.ts';
import { Shards } from './panes/tmux/shards.ts';
import { Witness } from './panes/witness.ts';
import { accessFile } from './signals/hooks.ts';
import { Listener } from './signals/listener.ts';
import { ToolFailures } from './signals/tool-failures.ts';
import { AgentDatabase, openDirectory } from './store/database.ts';
import { namesInDatabase, namesOnHost } from './store/conversation-names.ts';
import { frozenInDatabase, frozenOnHost } from './store/frozen-places.ts';
import { WorkerAccess } from './sync/worker-access.ts';
import { postOverHttp, transferOverHttp } from './sync/http-adapter.ts';
import { openParcels } from './sync/parcels.ts';
import { dialBySocket } from './terminals/dial-adapter.ts';
import { Terminals } from './terminals/terminals.ts';

/** Running machine agent. Disposing it ends the agent, never a pane. */
export interface MachineAgent extends AsyncDisposable {
  /** Resolves when the agent has ended by its signal or by being disposed. */
  readonly ended: Promise<void>;
  /** Reads and starts coding agents by these profile documents from now on; the coordinator's own take precedence. */
  useDocuments(documents: ReadonlyMap<string, Profile>): void;
}

/** Milliseconds for asking a program for its version. */
const VERSION_MS = 5_000;

/**
 * Starts the machine agent. The agent runs until its signal fires or it is disposed, whatever happens to its coordinator, its tmux or its
 * network.
 *
 * @throws AgentDirectoryError when another agent runs on the data directory, or it cannot be used.
 */
export async function startMachineAgent(options: MachineAgentOptions): Promise<MachineAgent> {
  const { clock, log, dataDir, machineDir = dataDir, shardSize = Number.POSITIVE_INFINITY } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const stack = new AsyncDisposableStack();
  try {
    const db = stack.use(new AgentDatabase(openDirectory(dataDir)));
    const keys = loadMachineKeys(dataDir);
    const host = options.host ?? createLocalHost({ env: withoutWithheld(options.env) });
    await host.mkdir(options.runtimeDir);
    // Git's files in it have the modes of the user's files.
    await host.mkdir(depotsOf(machineDir));
    const redactor = options.redactor ?? new Redactor();
    const stores = openStores(db, clock, redactor);
    const { outbox, journal, knownWorkers } = stores;
    const profiles = new Profiles(options.profiles, options.documents ?? BUILT_IN_PROFILES, options.accounts);
    const tmux = stack.use(
      new Shards({
        host,
        clock,
        directory: options.runtimeDir,
        record: new ServerRecord(host, join(machineDir, 'tmux-servers.json')),
        size: shardSize,
        newSecret: options.ids,
        ...(options.tmuxStartedBy !== undefined && { startedBy: options.tmuxStartedBy }),
        epoch: options.tmuxEpoch,
        log: tellTmux,
      }),
    );
    const crashPoint = options.crashPoint ?? (() => {});
    const { home, hookCommand = null } = options;
    const toolFailures = new ToolFailures(host, db, outbox);
    const workerAccess = new WorkerAccess({
      files: host,
      fileOf: (workerId) => accessFile(machineDir, workerId),
      log,
    });
    const parcels = await openParcels({
      files: host,
      directory: join(machineDir, 'parcels'),
      transfer: transferOverHttp,
      clock,
      log,
      random: options.random,
    });
    const cages = new Cages({
      host,
      profiles,
      machineDir,
      home,
      hidden: [machineDir, options.runtimeDir, ...(options.hidden ?? [])],
      programs: options.programs ?? [],
      roots: () => knownWorkers.all().map(({ project }) => project.root),
    });
    const channels = stack.use(new Channels({ host, knownWorkers, profiles, machineDir, clock, log }));
    const listener = stack.use(
      new Listener({ host, knownWorkers, profiles, channels, cages, toolFailures, machineDir, clock, log }),
    );
    const programs = new Programs({
      host,
      profiles: () => profiles.all(),
      allowed: options.ceilings?.profiles ?? null,
      // The environment of another host is not known here.
      keysOf: (profile) => (options.host === undefined ? keysOf(profile, options.env) : undefined),
      versionOf: async (program, args) => {
        const answer = await askVersion(host, program, args);
        return answer.kind === 'told' ? { ...answer, line: redactor.text(answer.line) } : answer;
      },
      compared: (subject) => witness.of(subject),
    });
    const witness = new Witness({
      db,
      files: host,
      directory: join(machineDir, 'disagreements'),
      redactor,
      untried: (profile) => programs.untried(profile),
      log,
    });
    const panes = stack.use(
      new Panes({
        tmux,
        knownWorkers,
        profiles,
        listener,
        understand,
        witness,
        outbox,
        redactor,
        clock,
        clockOffsetMs: () => host.clockOffsetMs(),
        starts: startsNotedIn(host, join(machineDir, 'boot-id')),
        log,
      }),
    );
    const conversationNames =
      machineDir === dataDir ? namesInDatabase(knownWorkers) : namesOnHost(host, join(machineDir, 'conversations'));
    const usage = stack.use(
      new UsageWatch({
        host,
        profiles,
        machineDir,
        knownWorkers,
        conversationNames,
        channels,
        tmux,
        cages,
        panes,
        outbox,
        clock,
        log,
      }),
    );
    const terminals = stack.use(new Terminals({ tmux, redactor, dial: dialBySocket, clock, log }));
    const tools: Tools = {
      host,
      versions: new ProgramVersions(host),
      tmux,
      panes,
      files: filesOnDisk({ host, dataDir, machineDir }),
      profiles,
      channels,
      cages,
      workerAccess,
      parcels,
      terminals,
      knownWorkers,
      frozenPlaces:
        machineDir === dataDir ? frozenInDatabase(knownWorkers) : frozenOnHost(host, join(machineDir, 'frozen')),
      conversationNames,
      usage,
      journal,
      machineDir,
      runtimeDir: options.runtimeDir,
      home,
      hookCommand,
      newSecret: () => {
        const secret = options.ids();
        redactor.add(secret);
        return secret;
      },
      redactor,
      clock,
      log,
      crashPoint,
    };
    const { workspace, roots } = options.places;
    const gauges = { load: host.load, disk: () => tightestDisk(host, [workspace, ...Object.values(roots)]) };
    const condition = stack.use(new ConditionWatch({ programs, gauges, clock, log }));
    const { machineName, joinToken, version, random, ids } = options;
    const core = stack.use(
      new Core({
        stores,
        hands: handsOf(tools),
        panes,
        profiles,
        workerAccess,
        parcels,
        terminals,
        keys,
        machineName,
        joinToken,
        version,
        facts: () => machineFacts(host, redactor),
        places: options.places,
        condition: () => condition.newest,
        urls: urlsOf(options.coordinatorUrl),
        post: postOverHttp,
        transport: options.transport ?? 'auto',
        onConnected: options.onConnected,
        confine: confineTo(
          { ...NO_CEILINGS, ...options.ceilings },
          {
            realPath: (path) => realPathOf(host, path),
            asksNothing: ({ profile }) => profiles.find(profile)?.profile.launch.asksNothing === true,
            isCaged: (worker) => cages.holds(worker),
            log,
          },
        ),
        clock,
        random,
        ids,
        log,
        signal,
        crashPoint,
      }),
    );
    condition.start();
    panes.start();
    usage.start();
    terminals.start();
    const running = core.keepInTouch();
    const closing = stack.move();
    const ended = running.then(() => closing.disposeAsync());
    return {
      ended,
      useDocuments: (documents) => profiles.replaceOwn(documents),
      async [Symbol.asyncDispose]() {
        stop.abort();
        await ended;
      },
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }

  function tellTmux(message: string, cause?: unknown): void {
    log('debug', `tmux: ${message}`, cause === undefined ? {} : { cause: String(cause) });
  }
}

/** Carries commands out on this machine. */
function handsOf(tools: Tools): Hands {
  return {
    carryOut: (running, command) =>
      carryOut({ ...tools, ...running, home: tools.cages.homeOf(running.settings) }, command),
    answer: (running, query) =>
      answerQuery({ ...tools, ...running, home: tools.cages.homeOf(running.settings) }, query),
  };
}

/** Facts about the machine for a hello. */
export async function machineFacts(host: Host, redactor: Redactor): Promise<HelloRequest['facts']> {
  const version = async (program: string, flag: string): Promise<string> => {
    const outcome = await host.run(program, [flag], { timeoutMs: VERSION_MS }).catch(() => undefined);
    return outcome?.status === 0 ? redactor.text(outcome.stdout.trim()) : 'missing';
  };
  const [tmux, git] = await Promise.all([version('tmux', '-V'), version('git', '--version')]);
  const { hostname, platform, zone } = await host.facts();
  return { hostname: redactor.text(hostname), platform, tmux, git, node: process.version, zone };
}
