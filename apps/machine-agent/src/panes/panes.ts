/**
 * Watches the panes of this machine, and reports their changes to the coordinator.
 *
 * V1 While a command acts on a worker's pane, nothing is reported of it; held reports follow the command's result, and the screen after it is
 * reported even if it looks like the previous one.
 * V2 The end of each life of a pane is reported once.
 */
import { pause } from '@drover/base';
import type { Redactor } from '@drover/protocol';
import { formatIncarnation, type PaneAddress, type PaneExit, type PaneState } from '@drover/tmux';
import type { Listener } from '../signals/listener.ts';
import type { KnownWorkers } from '../store/known-workers.ts';
import type { Outbox } from '../store/outbox.ts';
import { insist } from '../time.ts';
import type { MachineStarts } from './machine-starts.ts';
import { paneOf, workerOf } from './managed.ts';
import { Pane, type PaneParts } from './pane.ts';
import { knowIncarnation } from './seen-incarnation.ts';
import type { PaneServers, PaneServer } from './servers.ts';
import type { Witness } from './witness.ts';

/** Milliseconds between retries to reach a missing tmux. */
const RETRY_MS = 5_000;
/** Milliseconds after a command during which the panes are polled often. */
const AWAITED_MS = 10_000;
/** Milliseconds that news of vanished panes are collected before the list is reported. */
const COLLECT_MS = 150;
/** Milliseconds between retries to record an exit, for example on a full disk. */
const RECORD_AGAIN_MS = 2_000;

interface PanesOptions extends Pick<PaneParts, 'profiles' | 'understand' | 'clock' | 'log'> {
  readonly tmux: PaneServers;
  readonly knownWorkers: KnownWorkers;
  readonly listener: PaneParts['listener'] & Pick<Listener, 'start' | 'forget'>;
  /** Compares screens with what programs say; absent: nobody does. */
  readonly witness?: Pick<Witness, 'see' | 'forget'>;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly redactor: Redactor;
  /** Milliseconds by which the clock of the machine with the panes is ahead. */
  readonly clockOffsetMs: () => number;
  /** Absent: restarts of the machine are not reported. */
  readonly starts?: MachineStarts;
}

/** Hold on the reports about a pane while a command acts on it. */
export interface Hold {
  /** Resumes the reports. Call after the result was recorded. */
  release(): void;
}

/** Panes of this machine. Closing it stops the watching. */
export class Panes implements AsyncDisposable {
  readonly #options: PanesOptions;
  readonly #parts: PaneParts;
  readonly #panes = new Map<string, Pane>();
  readonly #held = new Map<string, (() => void)[]>();
  readonly #expectedGone = new Set<string>();
  readonly #closing = new AbortController();
  #watching: Promise<void> = Promise.resolve();
  readonly #watches = new Set<ReturnType<PaneServer['watch']>>();
  #awaitedUntil = 0;
  #changes = 0;
  #panesDue = false;

  constructor(options: PanesOptions) {
    const { redactor, outbox } = options;
    this.#options = options;
    this.#parts = {
      ...options,
      clean: (text, width) => redactor.screen(text, width),
      know: (facts) => this.#know(facts),
      keep: (pane) => {
        if (!this.#panes.has(pane.incarnation)) this.#panes.set(pane.incarnation, pane);
      },
      isHeld: (workerId) => this.#held.has(workerId),
      report: (workerId, incarnation, reading) => outbox.add({ kind: 'screen', workerId, incarnation, reading }),
      signal: this.#closing.signal,
    };
  }

  /** Starts to watch, now or as soon as there is a tmux. */
  start(): void {
    this.#options.tmux.forEach((server) => {
      if (!this.#closing.signal.aborted) this.#watches.add(this.#watchOver(server));
    });
    this.#watching = this.#keepTrying();
    this.#options.listener.start();
  }

  /** Finds this life of a pane; undefined when its server has ended, and the life with it. */
  async at(address: PaneAddress): Promise<Pane | undefined> {
    const server = await this.#options.tmux.at(address);
    return server && this.#pane(address, server);
  }

  /** Finds the pane of a worker. @throws when it was not found, and one server cannot be asked. */
  async of(workerId: string): Promise<Pane | undefined> {
    const found = await this.#options.tmux.find(workerId);
    return found && this.#pane(found.pane.incarnation, found.server);
  }

  /** Incarnations whose agents are at work, or start. */
  get atWork(): readonly string[] {
    return [...this.#panes.values()].flatMap(({ incarnation, isAtWork }) => (isAtWork ? incarnation : []));
  }

  /** Holds back reports about a worker's pane until the command that acts on it is recorded. */
  hold(workerId: string): Hold {
    if (!this.#held.has(workerId)) this.#held.set(workerId, []);
    this.#awaitedUntil = this.#options.clock.now() + AWAITED_MS;
    return { release: () => this.#release(workerId) };
  }

  /** Expects the end of this life until the command that holds the pane is over: its disappearance is no news. */
  expectGone(incarnation: string): void {
    this.#expectedGone.add(incarnation);
  }

  /** Reports the whole list of managed panes. @throws TmuxError when tmux cannot be asked. */
  async tellPanes(): Promise<void> {
    for (;;) {
      const before = this.#changes;
      const { tmux, starts, outbox } = this.#options;
      const [listed, hasRestarted] = await Promise.all([tmux.panes(), starts?.hasStartedAgain() ?? false]);
      const panes = listed.map(({ pane }) => pane);
      // A list with a session that a command opened or closed meanwhile would be wrong: ask again.
      if (before !== this.#changes) continue;
      for (const pane of panes) this.#know(pane);
      const workers = new Set(panes.map(workerOf).filter((worker) => worker !== undefined));
      const list = [...workers].flatMap((workerId) => {
        const pane = paneOf(panes, workerId);
        return pane === undefined
          ? []
          : [{ workerId, incarnation: formatIncarnation(pane.incarnation), dead: pane.dead }];
      });
      outbox.add({ kind: 'panes', panes: list, ...(hasRestarted && { hasRestarted }) });
      await starts?.note();
      return;
    }
  }

  /** Reports the present screens again, for a coordinator that may have missed them. */
  async tellScreens(): Promise<void> {
    for (const { pane } of await this.#options.tmux.panes()) {
      const workerId = workerOf(pane);
      if (workerId === undefined || pane.dead || this.#held.has(workerId)) continue;
      await (await this.at(pane.incarnation))?.tell();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#watching;
    for (const watch of this.#watches) await watch[Symbol.asyncDispose]();
  }

  async #keepTrying(): Promise<void> {
    const { tmux, clock, log } = this.#options;
    for (let failures = 0; !this.#closing.signal.aborted; failures += 1) {
      try {
        await tmux.servers();
        if (failures > 0) this.#tellPanesSoon();
        return;
      } catch (error) {
        if (failures === 0) log('error', `Cannot watch any pane: ${String(error)}`);
        await pause(clock, RETRY_MS, this.#closing.signal);
      }
    }
  }

  #watchOver(server: PaneServer): ReturnType<PaneServer['watch']> {
    return server.watch({
      onPane: (facts, capture) => {
        if (capture !== undefined && workerOf(facts) !== undefined) this.#pane(facts.incarnation, server).take(capture);
      },
      onExit: (exit) => this.#ended(server, exit),
      onTrouble: (error) => this.#options.log('debug', `Cannot read the panes: ${String(error)}`),
      awaited: () => this.#isAwaited(),
      interest: (facts) => (workerOf(facts) === undefined || facts.dead ? 'facts' : 'colours'),
    });
  }

  #isAwaited(): boolean {
    if (this.#held.size > 0 || this.#options.clock.now() < this.#awaitedUntil) return true;
    return this.atWork.length > 0;
  }

  #pane(address: PaneAddress, server: PaneServer): Pane {
    const incarnation = formatIncarnation(address);
    return this.#panes.get(incarnation) ?? new Pane(this.#parts, { incarnation, address, server });
  }

  /** Remembers the life of a pane, whose conversation leads to the program's own records. */
  #know(pane: PaneState): void {
    const { knownWorkers, clock, clockOffsetMs } = this.#options;
    knowIncarnation(knownWorkers, pane, { now: () => clock.now(), offsetMs: clockOffsetMs });
  }

  #ended(server: PaneServer, exit: PaneExit): void {
    this.#changes += 1;
    const workerId = workerOf(exit);
    if (workerId === undefined) return;
    const incarnation = formatIncarnation(exit.incarnation);
    const isExpected = this.#expectedGone.has(incarnation);
    if (exit.cause.kind === 'gone') {
      this.#expectedGone.delete(incarnation);
      this.#forget(incarnation);
      if (!isExpected) this.#tellPanesSoon();
      return;
    }
    // A command asked it to end before its session is closed.
    if (isExpected) return this.#forget(incarnation);
    void this.#tellExit(server, { workerId, exit }).catch((error: unknown) => {
      this.#options.log('warn', `Cannot read the last output of ${workerId}: ${String(error)}`);
    });
  }

  async #tellExit(server: PaneServer, { workerId, exit }: { workerId: string; exit: PaneExit }): Promise<void> {
    const { outbox, knownWorkers, clock, log } = this.#options;
    const pane = this.#pane(exit.incarnation, server);
    const { incarnation } = pane;
    const facts = await pane.end(exit);
    const record = (): void =>
      knownWorkers.tellExitOnce(incarnation, () => outbox.add({ kind: 'exit', workerId, exit: facts }));
    const tell = (): void => {
      this.#forget(incarnation);
      void insist(clock, record, {
        everyMs: RECORD_AGAIN_MS,
        signal: this.#closing.signal,
        onTrouble: (error) => log('error', `Could not record the exit of ${incarnation} yet: ${String(error)}`),
      });
    };
    const line = this.#held.get(workerId);
    if (line === undefined) tell();
    else line.push(tell);
  }

  #forget(incarnation: string): void {
    const { listener, witness } = this.#options;
    this.#panes.delete(incarnation);
    witness?.forget(incarnation);
    listener.forget(incarnation);
  }

  #tellPanesSoon(): void {
    if (this.#panesDue) return;
    this.#panesDue = true;
    this.#options.clock.after(COLLECT_MS, () => {
      this.#panesDue = false;
      if (this.#closing.signal.aborted) return;
      this.tellPanes().catch((error: unknown) => {
        this.#options.log('debug', `Could not list the panes: ${String(error)}`);
        this.#tellPanesSoon();
      });
    });
  }

  #release(workerId: string): void {
    const line = this.#held.get(workerId) ?? [];
    this.#held.delete(workerId);
    this.#changes += 1;
    this.#awaitedUntil = this.#options.clock.now() + AWAITED_MS;
    for (const tell of line) tell();
    const told = this.of(workerId).then((pane) => {
      // A command that failed did not end it: whatever ends it later is news.
      if (pane !== undefined) this.#expectedGone.delete(pane.incarnation);
      return pane?.tell();
    });
    told.catch((error: unknown) => {
      this.#options.log('debug', `Cannot read ${workerId} after its command: ${String(error)}`);
    });
  }
}
