/** Picks the shell that runs a command. One to four shells wait on each connection; a command that comes while all are busy waits its turn. */
import { CarrierError, type Channel } from '../carrier.ts';
import { ChannelBudget } from './channels.ts';
import { firstLine, type ShellSetup } from './lines.ts';
import { type OpenShell, openShell, type PoolOptions } from './open-shell.ts';
import { PreparedShell } from './prepared-shell.ts';
import { type CommandEnd, type Limits, type ShellInput, WarmShell } from './warm-shell.ts';

/** Shells that wait for commands at once. */
const SHELLS_MAX = 4;
/** Milliseconds after which a shell that is not needed is closed; one stays. */
const SPARE_MS = 60_000;
/** Milliseconds to kill a group of processes from another shell. */
const KILL_MS = 5_000;
/** Milliseconds for the shells of a pool that is closed to end. */
const ENDED_MS = 2_000;
/** Milliseconds for a server to close a channel that was closed here. */
const CLOSED_MS = 10_000;
/** Shells that could not be killed, and channels that were not closed, before the connection is given up: they hold channels that are needed. */
const UNKILLED_MAX = 2;

const ABORTED: CommandEnd = { kind: 'stopped', why: 'aborted', stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
const PACE: Limits = { timeoutMs: 60_000, outputBytesMax: 1024, excess: 'drop' };

/** A command that waits for a shell. */
interface Waiting {
  readonly take: (shell: WarmShell) => void;
  readonly fail: (error: unknown) => void;
}

/** A shell that runs one command and then nothing more. */
export interface LoneShell extends OpenShell {
  readonly mark: string;
}

/** Holds the shells of one connection. The pool ends with its carrier. */
export class ShellPool {
  readonly #options: PoolOptions;
  readonly #channels: ChannelBudget;
  readonly #idle: { readonly shell: WarmShell; readonly stay: () => void }[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #prepared: PreparedShell;
  #setup: ShellSetup = { environment: {}, fence: undefined };
  #shells = 0;
  #opening = 0;
  #unkilled = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#channels = new ChannelBudget(options.clock, () => this.#closeSpare());
    this.#prepared = new PreparedShell({
      clock: options.clock,
      open: () => this.#channels.take(() => this.#open(), exitOf, 'nothing'),
      giveUp: (channel) => this.giveUp(channel),
    });
  }

  /** Gives all shells what commands have in common, those that wait too. */
  configure(setup: ShellSetup): void {
    this.#setup = setup;
    for (const { shell } of this.#idle) shell.configure(setup);
  }

  /**
   * Opens the first shell, then another beside all that this one is asked: the next that needs a channel gets it.
   *
   * @throws CarrierError or ConnectError when no shell was opened.
   */
  async begin(): Promise<void> {
    const shell = await this.#take(undefined);
    if (shell !== undefined) this.#putBack(shell);
    this.#prepared.prepare();
  }

  /**
   * Runs commands in a subshell of some shell. A shell that is gone before it began passes them to another.
   *
   * @throws CarrierError or ConnectError when no shell was opened: nothing ran.
   */
  async run(body: Buffer, limits: Limits, input?: ShellInput): Promise<CommandEnd> {
    for (;;) {
      const shell = await this.#take(limits.signal);
      if (shell === undefined) return ABORTED;
      const end = await shell.run(body, limits, input);
      this.#putBack(shell);
      const isOver = end.kind !== 'lost' || end.began;
      if (isOver || (await this.#isClosed())) return end;
    }
  }

  /**
   * Runs commands on a channel of their own, with any amount of input.
   *
   * @throws CarrierError or ConnectError when no shell was opened: nothing ran.
   */
  async runAlone(body: Buffer, limits: Limits, input: string | Uint8Array): Promise<CommandEnd> {
    let shell: WarmShell;
    try {
      shell = this.#warm(await this.#openLone());
    } catch (error) {
      if (!(error instanceof CarrierError && error.reason === 'refused')) throw error;
      return this.#runAsLast(body, limits, input);
    }
    // The answer to a word that is sent behind a piece tells that the piece has left.
    const pace = (): Promise<unknown> => this.run(Buffer.from(':'), PACE).catch(() => undefined);
    const end = await shell.run(body, limits, { kind: 'rest', bytes: input, pace });
    shell.close();
    return end;
  }

  /** A server that opens very few channels: a shell that waits becomes the one for this command. Another comes after it. */
  async #runAsLast(body: Buffer, limits: Limits, input: string | Uint8Array): Promise<CommandEnd> {
    const shell = await this.#take(limits.signal);
    if (shell === undefined) return ABORTED;
    const end = await shell.run(body, limits, { kind: 'rest', bytes: input, pace: () => Promise.resolve() });
    shell.close();
    return end;
  }

  /** Opens a shell of one's own. The shell holds a channel until its program ends. @throws CarrierError or ConnectError */
  async lone(): Promise<LoneShell> {
    const opened = await this.#openLone();
    const mark = this.#options.newMark();
    opened.channel.input.write(firstLine(mark, this.#setup));
    return { ...opened, mark };
  }

  /**
   * Kills the group of a shell, and all in it, from another shell.
   *
   * @returns false when it is not known whether that was done.
   */
  async kill(pid: number, signal: (name: string) => void): Promise<boolean> {
    if (await this.#killFromShell(pid)) return true;
    signal('KILL');
    this.#leftOver();
    return false;
  }

  /** Closes the shells that wait. @returns false when one has not ended in time: a program that its startup files left running holds its channel. */
  async close(): Promise<boolean> {
    const idle = this.#idle.splice(0);
    for (const { shell, stay } of idle) {
      stay();
      shell.close();
    }
    const late = Promise.withResolvers<false>();
    const cancel = this.#options.clock.after(ENDED_MS, () => late.resolve(false));
    const ended = Promise.all(idle.map(({ shell }) => shell.ended));
    return Promise.race([late.promise, ended.then(() => true)]).finally(cancel);
  }

  /** Closes a channel. A server that does not close it too keeps one of the few that there are. */
  giveUp(channel: Channel): void {
    channel.close();
    const cancel = this.#options.clock.after(CLOSED_MS, () => this.#leftOver());
    void channel.exit.then(cancel);
  }

  #leftOver(): void {
    this.#unkilled += 1;
    if (this.#unkilled >= UNKILLED_MAX) this.#options.carrier.end('Commands on the machine could not be killed');
  }

  async #killFromShell(pid: number): Promise<boolean> {
    const body = Buffer.from(`kill -9 -${pid}`);
    const limits: Limits = { timeoutMs: KILL_MS, outputBytesMax: 1024, excess: 'drop' };
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      idle.stay();
      const end = await idle.shell.run(body, limits);
      this.#putBack(idle.shell);
      if (end.kind === 'ended') return true; // a status that is not 0 says that the group was gone already
    }
    try {
      const helper = await this.#channels.take(() => this.#open(), exitOf);
      const shell = this.#warm(helper);
      const end = await shell.run(body, limits);
      shell.close();
      return end.kind === 'ended';
    } catch {
      return false;
    }
  }

  #take(signal: AbortSignal | undefined): Promise<WarmShell | undefined> {
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      idle.stay();
      if (idle.shell.isOpen) return Promise.resolve(idle.shell);
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        resolve(undefined);
      };
      const settle = (then: () => void): void => {
        signal?.removeEventListener('abort', onAbort);
        then();
      };
      const waiting: Waiting = {
        take: (shell) => settle(() => resolve(shell)),
        fail: (error) => settle(() => reject(error instanceof Error ? error : new Error(String(error)))),
      };
      signal?.addEventListener('abort', onAbort);
      this.#waiting.push(waiting);
      this.#grow();
    });
  }

  /** Opens a shell for those who wait, as long as there may be more. */
  #grow(): void {
    const isEnough = this.#opening >= this.#waiting.length || this.#shells + this.#opening >= SHELLS_MAX;
    const isFirst = this.#shells + this.#opening === 0;
    if (this.#waiting.length === 0 || isEnough || (!isFirst && !this.#channels.hasRoom)) return;
    void this.#add();
  }

  async #add(): Promise<void> {
    this.#opening += 1;
    let opened: OpenShell;
    try {
      opened = await this.#channels.open(() => this.#open(), exitOf);
    } catch (error) {
      this.#opening -= 1;
      const isLost = error instanceof CarrierError && error.reason === 'lost';
      // Waiting callers get another shell if there is one.
      if (isLost || this.#shells + this.#opening === 0)
        for (const waiting of this.#waiting.splice(0)) waiting.fail(error);
      return;
    }
    this.#opening -= 1;
    this.#shells += 1;
    const shell = this.#warm(opened);
    this.#putBack(shell);
    await shell.ended;
    this.#shells -= 1;
    this.#forget(shell);
    this.#grow();
  }

  async #openLone(): Promise<OpenShell> {
    const prepared = await this.#prepared.take();
    if (prepared !== undefined) return prepared;
    if (!this.#channels.hasRoom) this.#closeSpare();
    return this.#channels.open(() => this.#open(), exitOf, 'channel');
  }

  #open(): Promise<OpenShell> {
    return openShell(this.#options.carrier, this.#options.owner, this.#options.clock);
  }

  #warm({ channel, greeting }: OpenShell): WarmShell {
    const { clock, onRoundTrip, newMark } = this.#options;
    const mark = newMark();
    channel.input.write(firstLine(mark, this.#setup));
    const { pid, rest } = greeting;
    const kill = (): Promise<boolean> => this.kill(pid, (name) => channel.signal(name));
    const giveUp = (): void => this.giveUp(channel);
    return new WarmShell(channel, { pid, mark, rest }, { clock, onRoundTrip, kill, giveUp });
  }

  #putBack(shell: WarmShell): void {
    if (!shell.isOpen) return;
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next.take(shell);
      return;
    }
    const close = (): void => this.#closeSpare(shell);
    this.#idle.push({ shell, stay: this.#options.clock.after(SPARE_MS, close) });
  }

  /** The oldest that waits, or a certain one; the last shell stays. */
  #closeSpare(shell = this.#idle[0]?.shell): void {
    const at = this.#idle.findIndex((idle) => idle.shell === shell);
    if (at < 0 || this.#shells <= 1) return;
    for (const { shell: spare, stay } of this.#idle.splice(at, 1)) {
      stay();
      spare.close();
    }
  }

  /** A shell that is gone waits for nothing: the timer of one would keep a process from its end. */
  #forget(shell: WarmShell): void {
    const at = this.#idle.findIndex((idle) => idle.shell === shell);
    if (at >= 0) for (const { stay } of this.#idle.splice(at, 1)) stay();
  }

  async #isClosed(): Promise<boolean> {
    const open = Symbol('open');
    // Waits for what is known at this moment: a lost shell is reported before the connection that is lost with it.
    const soon = new Promise((resolve) => this.#options.clock.after(0, () => resolve(open)));
    return (await Promise.race([this.#options.carrier.closed, soon])) !== open;
  }
}

function exitOf({ channel }: OpenShell): Promise<unknown> {
  return channel.exit;
}
