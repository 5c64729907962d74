/**
 * Reports changes in this machine's panes to the coordinator.
 *
 * V1 While a command acts on a worker's pane, nothing is reported of it; held reports follow the command's result, and the screen after it is
 * reported even if it looks like the previous one.
 * V2 The end of each life of a pane is reported once.
 */
import { type LocalClock, type Log, pause } from '@drover/base';
import type { Redactor } from '@drover/protocol';
import { formatIncarnation, parseIncarnation, type Capture, type PaneExit, type PaneState } from '@drover/tmux';
import type { Hold, Panes } from '../execute/ports.ts';
import type { KnownWorkers } from '../store/known-workers.ts';
import type { Outbox } from '../store/outbox.ts';
import { insist } from '../time.ts';
import type { PaneReading, PaneReadings } from './readings.ts';
import { exitOf } from './exit-facts.ts';
import type { MachineStarts } from './machine-starts.ts';
import { knowIncarnation } from './seen-incarnation.ts';
import { isWorthTelling, toldNow, type Told } from './novelty.ts';
import { paneOf, workerOf } from './managed.ts';
import type { PaneServers, PaneServer } from './servers.ts';

/** Milliseconds between retries to reach a missing tmux. */
const RETRY_MS = 5_000;
/** Milliseconds after a command during which the panes are polled often. */
const AWAITED_MS = 10_000;
/** Milliseconds that news of vanished panes are collected before the list is reported. */
const COLLECT_MS = 150;
/** Milliseconds between retries to record an exit, for example on a full disk. */
const RECORD_AGAIN_MS = 2_000;
/** Rows above the screen that the last words of a program may have scrolled to. */
const HISTORY_ROWS = 60;

interface ObserverOptions {
  readonly tmux: PaneServers;
  readonly knownWorkers: KnownWorkers;
  readonly readings: PaneReadings;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly redactor: Redactor;
  readonly clock: LocalClock;
  /** Milliseconds by which the clock of the machine with the panes is ahead. */
  readonly clockOffsetMs: () => number;
  /** Absent: restarts of the machine are not reported. */
  readonly starts?: MachineStarts;
  readonly log: Log;
}

/** Watches the panes of this machine. Closing it stops the watching. */
export class Observer implements Panes, AsyncDisposable {
  readonly #options: ObserverOptions;
  readonly #told = new Map<string, Told>();
  /** Lives that are being looked at because of news, and whether there was more news meanwhile. */
  readonly #looking = new Map<string, { again: boolean }>();
  readonly #held = new Map<string, (() => void)[]>();
  readonly #expectedGone = new Set<string>();
  readonly #closing = new AbortController();
  #watching: Promise<void> = Promise.resolve();
  readonly #watches = new Set<ReturnType<PaneServer['watch']>>();
  #awaitedUntil = 0;
  #changes = 0;
  #panesDue = false;

  constructor(options: ObserverOptions) {
    this.#options = options;
  }

  /** Starts to watch, now or as soon as there is a tmux. */
  start(): void {
    this.#options.tmux.forEach((server) => {
      if (!this.#closing.signal.aborted) this.#watches.add(this.#watchOver(server));
    });
    this.#watching = this.#keepTrying();
  }

  /** Holds back reports about a worker's pane until the command that acts on it is recorded. */
  hold(workerId: string): Hold {
    if (!this.#held.has(workerId)) this.#held.set(workerId, []);
    this.#awaitedUntil = this.#options.clock.now() + AWAITED_MS;
    return { release: () => this.#release(workerId) };
  }

  /** Expects the end of this life, because a command ends it: its disappearance is no news. */
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
      if (workerId !== undefined && !pane.dead && !this.#held.has(workerId)) await this.#tellNow(workerId, pane);
    }
  }

  /** Looks at a life now: its program has reported something beside its screen. */
  readPane(incarnation: string): void {
    const under = this.#looking.get(incarnation);
    if (under !== undefined) under.again = true;
    else void this.#seeUntilCalm(incarnation);
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
      onPane: (facts, capture) => this.#seen(facts, capture),
      onExit: (exit) => this.#ended(server, exit),
      onTrouble: (error) => this.#options.log('debug', `Cannot read the panes: ${String(error)}`),
      awaited: () => this.#isAwaited(),
      interest: (facts) => (workerOf(facts) === undefined || facts.dead ? 'facts' : 'colours'),
    });
  }

  #isAwaited(): boolean {
    if (this.#held.size > 0 || this.#options.clock.now() < this.#awaitedUntil) return true;
    return this.#options.readings.atWork.length > 0;
  }

  #seen(facts: PaneState, capture: Capture | undefined): void {
    const workerId = workerOf(facts);
    if (workerId === undefined || capture === undefined || facts.dead) return;
    this.#know(facts);
    const seen = this.#options.readings.judge(capture);
    if (seen === undefined || this.#held.has(workerId)) return;
    if (isWorthTelling(this.#told.get(formatIncarnation(facts.incarnation)), seen.reading)) this.#tell(workerId, seen);
  }

  async #seeUntilCalm(incarnation: string): Promise<void> {
    const { tmux, log } = this.#options;
    const under = { again: false };
    this.#looking.set(incarnation, under);
    try {
      do {
        under.again = false;
        const pane = parseIncarnation(incarnation);
        const server = await tmux.at(pane);
        const outcome = await server?.capture(pane, { colours: true });
        if (outcome?.kind === 'captured') this.#seen(outcome.capture.facts, outcome.capture);
      } while (under.again && !this.#closing.signal.aborted);
    } catch (error) {
      log('debug', `Cannot read ${incarnation} after a change: ${String(error)}`);
    } finally {
      this.#looking.delete(incarnation);
    }
  }

  /** Remembers the life of a pane, whose conversation leads to the program's own records. */
  #know(pane: PaneState): void {
    const { knownWorkers, clock, clockOffsetMs } = this.#options;
    knowIncarnation(knownWorkers, pane, { now: () => clock.now(), offsetMs: clockOffsetMs });
  }

  #tell(workerId: string, { reading, facts }: PaneReading): void {
    const incarnation = formatIncarnation(facts.incarnation);
    this.#told.set(incarnation, toldNow(this.#told.get(incarnation), reading));
    this.#options.outbox.add({ kind: 'screen', workerId, incarnation, reading });
  }

  async #tellNow(workerId: string, { incarnation }: PaneState): Promise<void> {
    const server = await this.#options.tmux.at(incarnation);
    const outcome = await server?.capture(incarnation, { colours: true });
    if (outcome?.kind !== 'captured' || outcome.capture.facts.dead || this.#held.has(workerId)) return;
    const seen = this.#options.readings.judge(outcome.capture);
    if (seen !== undefined) this.#tell(workerId, seen);
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
    if (isExpected) return;
    void this.#tellExit(server, { workerId, exit }).catch((error: unknown) => {
      this.#options.log('warn', `Cannot read the last output of ${workerId}: ${String(error)}`);
    });
  }

  async #tellExit(server: PaneServer, { workerId, exit }: { workerId: string; exit: PaneExit }): Promise<void> {
    const { outbox, knownWorkers, readings, redactor, clock, log } = this.#options;
    const incarnation = formatIncarnation(exit.incarnation);
    const at = clock.now();
    const outcome = await server.capture(exit.incarnation, { history: HISTORY_ROWS }).catch(() => undefined);
    const capture = outcome?.kind === 'captured' ? outcome.capture : undefined;
    const clean = (text: string): string => redactor.screen(text, capture?.facts.width);
    const facts = exitOf(exit, { at, seen: readings.last(incarnation), text: capture?.text, clean });
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
    this.#options.readings.forget(incarnation);
    this.#told.delete(incarnation);
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
    this.#tellWorker(workerId).catch((error: unknown) => {
      this.#options.log('debug', `Cannot read ${workerId} after its command: ${String(error)}`);
    });
  }

  async #tellWorker(workerId: string): Promise<void> {
    const found = await this.#options.tmux.find(workerId);
    if (found !== undefined && !found.pane.dead) await this.#tellNow(workerId, found.pane);
  }
}
