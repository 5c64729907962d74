/** Drives one tmux server for the rest of Drover. */
import type { Clock } from '@drover/base';
import {
  capturePane,
  capturePanes,
  type CaptureOptions,
  type CaptureOutcome,
  type CaptureTools,
} from './panes/capture.ts';
import type { Chain } from './commands/command.ts';
import { controlClientsIn, endClients, LIST_CLIENTS } from './control/clients.ts';
import type { ControlConnection } from './control/connection.ts';
import { ControlLink } from './control/link.ts';
import { derivedWord } from './derived-word.ts';
import { endServer } from './server/end-servers.ts';
import { invariant, isProgramMissing, TmuxError } from './errors.ts';
import { Hands, type HandsTools } from './typing/hands.ts';
import {
  ensureHub,
  exitNewsHook,
  greet,
  HUB,
  type ServerGreeting,
  type ServerIdentity,
  SERVER_SETTINGS,
} from './server/hub.ts';
import { restoreSocket } from './server/lost-socket.ts';
import { setPaneEnvironment } from './server/pane-environment.ts';
import type { PaneAddress } from './panes/incarnation.ts';
import { listPanes, type ListTools } from './panes/list.ts';
import { DEFAULT_USER_OPTIONS, FactsFormat, type PaneState } from './panes/facts.ts';
import { KeyedLock } from './typing/pane-lock.ts';
import { firstError } from './commands/runner.ts';
import {
  type CreateOutcome,
  createSession,
  killSession,
  type RespawnPlan,
  type RespawnOutcome,
  respawnPane,
  type SessionPlan,
  type SessionTools,
} from './panes/sessions.ts';
import { fitPane, type PaneSize, unfitPanes } from './panes/size.ts';
import { addressOf, SpawnedCommands, type TmuxAddress, type TmuxPlace } from './commands/spawned.ts';
import type { Abilities } from './server/versions.ts';
import { Watch, type WatchOptions } from './panes/watch.ts';

export interface TmuxServerOptions extends TmuxPlace {
  readonly clock: Clock;
  /** Word that cannot be guessed: letters, digits and `-`, at least 16. A new one for each driver. */
  readonly secret: string;
  /** Grows with each driver that takes the server over: the server obeys the highest. Default: none, for a driver that is alone. */
  readonly epoch?: number | undefined;
  /** User options that sessions may carry and that are listed with each pane. */
  readonly userOptions?: readonly string[];
  /** Called with lost connections and other trouble that the driver handles by itself. */
  readonly log?: (message: string, cause?: unknown) => void;
}

/** Milliseconds for a command that tmux answers at once. */
const COMMAND_MS = 5_000;

/** Driver of one tmux server, which it starts if need be and leaves running when closed. */
export class TmuxServer implements AsyncDisposable {
  readonly #options: TmuxServerOptions;
  readonly #address: TmuxAddress;
  readonly #spawned: SpawnedCommands;
  readonly #link: ControlLink;
  readonly #facts: FactsFormat;
  readonly #lock = new KeyedLock();
  readonly #bufferWord: string;
  /** Process ids of the control clients that this driver has had. */
  readonly #ownClients = new Set<number>();
  #greeting: ServerGreeting | undefined;
  #watch: Watch | undefined;
  #buffers = 0;

  private constructor(options: TmuxServerOptions) {
    invariant(/^[A-Za-z0-9-]{16,}$/.test(options.secret), 'secret needs 16 letters or digits');
    this.#options = options;
    this.#facts = new FactsFormat(options.userOptions ?? DEFAULT_USER_OPTIONS);
    this.#bufferWord = derivedWord(options.secret, 'buffers');
    this.#address = addressOf(options);
    this.#spawned = new SpawnedCommands(this.#address, options.secret);
    this.#link = new ControlLink({
      address: this.#address,
      clock: options.clock,
      secret: options.secret,
      spawned: this.#spawned,
      prepare: async () => {
        // `open` has just ensured the server before the first time.
        if (this.#greeting === undefined) return;
        await restoreSocket(options, this);
        await ensureHub(this.#spawned, options.clock);
        // A driver that was replaced in the meantime learns it here, not by a control client that starts beside the other's commands.
        if (options.epoch !== undefined) await greet(this.#spawned, options.epoch);
      },
      onConnected: (connection) => this.#setUp(connection),
      onNotification: (line) => {
        if (line.includes(options.secret)) this.#watch?.checkForExits(/%\d+$/.exec(line)?.[0]);
      },
      log: options.log ?? (() => {}),
    });
  }

  /**
   * Starts or finds the server and connects to it. Without a control connection the driver still works, by spawned commands, and goes on
   * retrying to connect.
   *
   * @throws TmuxError `tmux-missing`, `tmux-too-old`, `server-gone`, `refused`, `fenced`.
   */
  static async open(options: TmuxServerOptions): Promise<TmuxServer> {
    const server = new TmuxServer(options);
    try {
      await ensureHub(server.#spawned, options.clock);
      await server.#connectFirst();
    } catch (cause) {
      await server[Symbol.asyncDispose]();
      throw isProgramMissing(cause)
        ? new TmuxError('tmux-missing', 'tmux was not found on this machine', { cause })
        : cause;
    }
    return server;
  }

  /** Process id and start time of the server; changes with a new server. */
  get identity(): ServerIdentity {
    return this.#hello.identity;
  }

  /** Name or path of its socket. */
  get socket(): string {
    const { socket } = this.#options;
    return socket.kind === 'name' ? socket.name : socket.path;
  }

  get abilities(): Abilities {
    return this.#hello.abilities;
  }

  /** False while commands are spawned one by one. */
  get isConnected(): boolean {
    return this.#link.via === 'control';
  }

  /** See {@link setPaneEnvironment}. */
  setPaneEnvironment(wanted: Readonly<Record<string, string>>): Promise<void> {
    return setPaneEnvironment(this.#link, wanted);
  }

  /** Lists every pane but the hub's, dead ones included. The cause of a death may be missing until a watch makes tmux find out. */
  async listPanes(): Promise<readonly PaneState[]> {
    return (await listPanes(this.#sessionTools)).panes;
  }

  /** Creates a session with one pane, or says that one of this name exists. */
  async createSession(plan: SessionPlan): Promise<CreateOutcome> {
    const outcome = await createSession(this.#sessionTools, plan);
    if (outcome.kind === 'created') this.#watch?.noticed(outcome.pane);
    return outcome;
  }

  /** Starts a program in an existing pane; with `force` it ends the one that runs there. */
  async respawn(pane: PaneAddress, plan: RespawnPlan): Promise<RespawnOutcome> {
    const { before, outcome } = await respawnPane(this.#sessionTools, pane, plan);
    if (before !== undefined) this.#watch?.noticed(before);
    if (outcome.kind === 'respawned') this.#watch?.noticed(outcome.pane);
    return outcome;
  }

  /** Ends a pane's session and its program (SIGHUP). */
  killSession(pane: PaneAddress): Promise<{ readonly kind: 'killed' | 'pane-gone' }> {
    return killSession(this.#sessionTools, pane);
  }

  /** Screen and facts of a pane at one instant. */
  capture(pane: PaneAddress, options: CaptureOptions = {}): Promise<CaptureOutcome> {
    return capturePane(this.#captureTools, pane, options);
  }

  /** Gives a living pane the size of the terminal of a person who has no client of this server. */
  fitPane(pane: PaneAddress, size: PaneSize): Promise<void> {
    return fitPane(this.#link, pane, size);
  }

  /** Takes the size of {@link fitPane} from a pane of this server; without an id from all of them. */
  unfitPanes(paneId?: string): Promise<void> {
    return unfitPanes(this.#link, paneId);
  }

  /** Runs `work` as the only sender to this pane. Callers use only the given hands. */
  withPane<T>(pane: PaneAddress, work: (hands: Hands) => Promise<T>): Promise<T> {
    return this.#lock.run(pane.paneId, () => work(new Hands(this.#handsTools, pane)));
  }

  /** Reports panes and exits until it is closed. At most one watch runs at a time. */
  watch(options: WatchOptions): AsyncDisposable & Pick<Watch, 'checkNow'> {
    invariant(this.#watch === undefined, 'a server has one watch: close the other first');
    const watch = new Watch(
      {
        clock: this.#options.clock,
        list: (only) => listPanes(this.#sessionTools, only),
        capture: (panes, wanted) => capturePanes(this.#captureTools, panes, wanted),
        cure: () => this.#cure(),
        roundTripMs: () => this.#options.host.link.roundTripMs,
      },
      options,
    );
    this.#watch = watch;
    return {
      checkNow: () => watch.checkNow(),
      [Symbol.asyncDispose]: async () => {
        await watch[Symbol.asyncDispose]();
        if (this.#watch === watch) this.#watch = undefined;
      },
    };
  }

  /** Ends the server and every program in it, and closes this driver. @returns when the server's process is gone. */
  async killServer(): Promise<void> {
    await this[Symbol.asyncDispose]();
    await endServer(this.#address, this.#options.clock);
  }

  /** Stops watching and disconnects; the server and its panes go on. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watch?.[Symbol.asyncDispose]();
    this.#watch = undefined;
    await this.#link[Symbol.asyncDispose]();
  }

  async #connectFirst(): Promise<void> {
    const { epoch, log } = this.#options;
    try {
      await this.#link.connect();
    } catch (error) {
      if (error instanceof TmuxError && (error.code === 'tmux-too-old' || error.code === 'fenced')) throw error;
      log?.('works without a control connection for now', error);
      this.#greeting = await greet(this.#spawned, epoch);
    }
  }

  async #setUp(connection: ControlConnection): Promise<void> {
    // The epoch comes before anything else: a replaced driver changes no setting and ends no client.
    const greeting = await greet(connection, this.#options.epoch);
    const { option, format } = this.#facts;
    const hook = exitNewsHook(greeting, this.#options.secret);
    const chains: Chain[] = [SERVER_SETTINGS, [['set-option', '-s', option, format]], hook];
    const answer = await connection.exec([...chains, LIST_CLIENTS], { timeoutMs: COMMAND_MS });
    const error = firstError(answer);
    if (error !== undefined) this.#options.log?.(`tmux refused a setting: ${error}`);
    await this.#endFormerClients(connection, greeting, controlClientsIn(answer, HUB));
    this.#greeting = greeting;
    this.#watch?.checkNow();
  }

  /**
   * Ends leftover control clients. A server has one driver at a time, so a driver that connects for the first time ends all other clients of
   * the hub. On reconnect it ends only its own previous clients, so that two drivers cannot end each other in a loop.
   */
  async #endFormerClients(
    connection: ControlConnection,
    { clientPid }: ServerGreeting,
    all: readonly number[],
  ): Promise<void> {
    const isFirst = this.#ownClients.size === 0;
    this.#ownClients.add(clientPid);
    const former = all.filter((pid) => pid !== clientPid && (isFirst || this.#ownClients.has(pid)));
    if (former.length === 0) return;
    this.#options.log?.(`ends control clients of an earlier process: ${former.join(', ')}`);
    await endClients({ ...this.#options, runner: connection }, former);
  }

  /** Makes the server collect all its ended children, by a new child that ends at once, also on a remote machine. */
  async #cure(): Promise<void> {
    await this.#link.exec([[['run-shell', '-b', 'true']]], { timeoutMs: COMMAND_MS });
  }

  get #hello(): ServerGreeting {
    invariant(this.#greeting !== undefined, 'a server is greeted when it is opened');
    return this.#greeting;
  }

  get #sessionTools(): SessionTools & ListTools {
    const { host, epoch, clock } = this.#options;
    return { runner: this.#link, facts: this.#facts, host, epoch, clock };
  }

  get #captureTools(): CaptureTools {
    const buffer = `drover-capture-${this.#bufferWord}`;
    return { runner: this.#link, abilities: this.abilities, facts: this.#facts, buffer };
  }

  get #handsTools(): HandsTools {
    const newBuffer = (): string => `drover-paste-${this.#bufferWord}-${(this.#buffers += 1)}`;
    const { clock, epoch } = this.#options;
    return { runner: this.#link, abilities: this.abilities, clock, epoch, newBuffer };
  }
}
