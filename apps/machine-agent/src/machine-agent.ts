/** How do the parts of a machine agent stand together, in which order do they start, and who closes them? */
import { createLocalHost, type Host } from '@drover/host';
import type { HelloAnswer, HelloRequest, WireCommand } from '@drover/protocol';
import { BUILT_IN_PROFILES, type Profile } from '@drover/screen';
import { hostname } from 'node:os';
import { Executor } from './execute/executor.ts';
import type { Tools } from './execute/tools.ts';
import { ProgramVersions } from './host/program-versions.ts';
import { Intake } from './intake.ts';
import { loadMachineKey } from './identity/machine-key.ts';
import type { Log, MachineAgentOptions } from './options.ts';
import { Profiles } from './panes/agent-profile.ts';
import { Beliefs } from './panes/beliefs.ts';
import { FleetProfiles } from './panes/fleet-profiles.ts';
import { Observer } from './panes/observer.ts';
import { Shards } from './panes/shards.ts';
import { Listener } from './signals/listener.ts';
import { ToolFailures } from './signals/tool-failures.ts';
import { Book } from './store/book.ts';
import { AgentDatabase, openDirectory } from './store/database.ts';
import { Journal } from './store/journal.ts';
import { Outbox } from './store/outbox.ts';
import { keepInTouch } from './sync/keeper.ts';

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
    const outbox = new Outbox(db, clock);
    const journal = new Journal(db, outbox);
    const book = new Book(db);
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
    const beliefs = new Beliefs({ profiles, listener, clock });
    const observer = stack.use(new Observer({ tmux, book, beliefs, outbox, clock, log }));
    const tools: Tools = {
      host,
      versions: new ProgramVersions(host),
      tmux,
      observer,
      beliefs,
      profiles,
      book,
      journal,
      dataDir,
      home,
      allowedRoots,
      hookCommand,
      newSecret: options.ids,
      clock,
      log,
      crashPoint,
    };
    const executor = stack.use(new Executor(tools));
    const intake = new Intake({ journal, book, executor, log, crashPoint });
    intake.concludeUnfinished();
    observer.start();
    listener.start((incarnation) => observer.lookAt(incarnation));
    const agentEpoch = db.fact('agent-epoch', options.ids);
    const facts = (): Promise<HelloRequest['facts']> => machineFacts(host);
    const { machineName, joinToken, version, random } = options;
    const running = keepInTouch({
      urls: options.coordinatorUrl.split(',').map((url) => url.trim()),
      identity: { db, key, machineName, joinToken, agentEpoch, version, facts, log },
      outbox,
      transport: options.transport ?? 'auto',
      clock,
      random,
      log,
      signal,
      fleetProfiles: new FleetProfiles(db, profiles, log),
      onHello: (hello) => greeted(hello, { book, observer, log }),
      receive: (order: WireCommand, epoch: number) => intake.receive(order, epoch),
    });
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

/** At each hello: the seats as they are now, then the whole list of panes and their screens. */
async function greeted(
  { seats }: HelloAnswer,
  { book, observer, log }: { book: Book; observer: Observer; log: Log },
): Promise<void> {
  for (const seat of seats) book.rememberSeat(seat);
  try {
    await observer.tellPanes();
    await observer.tellScreens();
  } catch (error) {
    // A machine without tmux is still one to talk to; the list follows when its panes can be seen.
    log('warn', `Could not list the panes: ${error instanceof Error ? error.message : String(error)}`);
  }
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
