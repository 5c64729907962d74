/** How do the parts of a machine agent stand together, in which order do they start, and who closes them? */
import { createLocalHost, type Host } from '@drover/host';
import type { HelloRequest } from '@drover/protocol';
import { BUILT_IN_PROFILES, type Profile } from '@drover/screen';
import { hostname } from 'node:os';
import { Core, openStores } from './core.ts';
import { filesOnDisk } from './deliver/records.ts';
import { carryOut } from './execute/carry-out.ts';
import type { Hands } from './execute/ports.ts';
import { answerQuery } from './execute/queries.ts';
import type { Tools } from './execute/tools.ts';
import { ProgramVersions } from './host/program-versions.ts';
import { loadMachineKey } from './identity/machine-key.ts';
import type { MachineAgentOptions } from './options.ts';
import { Profiles } from './panes/agent-profile.ts';
import { Beliefs } from './panes/beliefs.ts';
import { Observer } from './panes/observer.ts';
import { Shards } from './panes/shards.ts';
import { understand } from './panes/understand.ts';
import { Listener } from './signals/listener.ts';
import { ToolFailures } from './signals/tool-failures.ts';
import { AgentDatabase, openDirectory } from './store/database.ts';
import { postByFetch } from './sync/http-adapter.ts';

/** A running machine agent. Disposing it ends the agent, never a pane. */
export interface MachineAgent extends AsyncDisposable {
  /** Resolves when the agent has ended by its signal or by being disposed. */
  readonly ended: Promise<void>;
  /** Reads and starts coding agents by these profile documents from now on; the coordinator's own hold before them. */
  useDocuments(documents: ReadonlyMap<string, Profile>): void;
}

/** Milliseconds for asking a program for its version. */
const VERSION_MS = 5_000;

/**
 * Starts the machine agent. It runs until its signal fires or it is disposed, whatever happens to its coordinator,
 * its tmux or its network.
 *
 * @throws AgentDirectoryError when another agent runs on the data directory, or it cannot be used.
 */
export async function startMachineAgent(options: MachineAgentOptions): Promise<MachineAgent> {
  const { clock, log, dataDir, shardSize = Number.POSITIVE_INFINITY } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const stack = new AsyncDisposableStack();
  try {
    const db = stack.use(new AgentDatabase(openDirectory(dataDir)));
    const key = loadMachineKey(dataDir);
    const env = programEnvironment(options);
    const host = createLocalHost({ env });
    await host.mkdir(options.runtimeDir);
    const stores = openStores(db, clock);
    const { outbox, journal, book } = stores;
    const profiles = new Profiles(options.profiles, options.documents ?? BUILT_IN_PROFILES);
    const tmux = stack.use(
      new Shards({
        host,
        clock,
        directory: options.runtimeDir,
        size: shardSize,
        newSecret: options.ids,
        log: tellTmux,
      }),
    );
    const crashPoint = options.crashPoint ?? (() => {});
    const { home, allowedRoots = [], hookCommand = null } = options;
    const toolFailures = new ToolFailures(db, outbox);
    const listener = stack.use(new Listener({ book, profiles, toolFailures, dataDir, home, clock, log }));
    const beliefs = new Beliefs({ profiles, listener, understand, clock });
    const observer = stack.use(new Observer({ tmux, book, beliefs, outbox, clock, log }));
    const tools: Tools = {
      host,
      versions: new ProgramVersions(host),
      tmux,
      observer,
      beliefs,
      understand,
      files: filesOnDisk(dataDir),
      profiles,
      book,
      journal,
      dataDir,
      home,
      hookCommand,
      newSecret: options.ids,
      clock,
      log,
      crashPoint,
    };
    const { machineName, joinToken, version, random, ids } = options;
    const core = stack.use(
      new Core({
        stores,
        hands: handsOf(tools),
        panes: observer,
        profiles,
        key,
        machineName,
        joinToken,
        version,
        facts: () => machineFacts(host),
        urls: options.coordinatorUrl.split(',').map((url) => url.trim()),
        post: postByFetch,
        transport: options.transport ?? 'auto',
        allowedRoots,
        clock,
        random,
        ids,
        log,
        signal,
        crashPoint,
      }),
    );
    observer.start();
    listener.start((incarnation) => observer.lookAt(incarnation));
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

/** What carries orders out on this machine. */
function handsOf(tools: Tools): Hands {
  return {
    carryOut: (order, op) => carryOut({ ...tools, ...order }, op),
    answer: (order, query) => answerQuery({ ...tools, ...order }, query),
  };
}

/** What programs inherit: not Drover's own settings, which hold addresses and secrets of the coordinator. */
function programEnvironment({ env }: MachineAgentOptions): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOwn(name)));
}

function isOwn(variable: string): boolean {
  return variable.startsWith('DROVER_') || variable === 'DATABASE_URL';
}

async function machineFacts(host: Host): Promise<HelloRequest['facts']> {
  const version = async (program: string, flag: string): Promise<string> => {
    const outcome = await host.run(program, [flag], { timeoutMs: VERSION_MS }).catch(() => undefined);
    return outcome?.status === 0 ? outcome.stdout.trim() : 'missing';
  };
  const [tmux, git] = await Promise.all([version('tmux', '-V'), version('git', '--version')]);
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { hostname: hostname(), platform: process.platform, tmux, git, node: process.version, zone };
}
