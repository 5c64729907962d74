/** Shows a simulated tmux to the real deliveries, answers and panes: one server, with one pane for each worker. */
import { isDeepStrictEqual } from 'node:util';
import type { PaneHands, PaneServers, PaneServer, Placed } from '@drover/machine-agent/testing';
import type { CaptureOutcome, PaneAddress, PressOutcome, SendOutcome, WatchOptions } from '@drover/tmux';
import { formatIncarnation, TmuxError } from '@drover/tmux';
import type { AgentProcess } from './agent-process.ts';
import type { Link } from './link.ts';
import { PaneWatch } from './pane-watch.ts';
import type { MachineBody } from './parts.ts';
import { captureOf, factsOf } from './shown-pane.ts';
import type { SimPane } from './shown-pane.ts';

/** The panes of a machine, as one process of its agent sees them. */
export class SimTmux implements PaneServers {
  readonly #machine: MachineBody;
  readonly #link: Link;
  readonly #server: SimServer;

  constructor(machine: MachineBody, agentProcess: AgentProcess, link: Link) {
    this.#machine = machine;
    this.#link = link;
    this.#server = new SimServer(machine, agentProcess, link);
  }

  get watch(): PaneWatch | null {
    return this.#server.watching;
  }

  forEach(run: (server: PaneServer) => void): void {
    run(this.#server);
  }

  servers(): Promise<readonly PaneServer[]> {
    return Promise.resolve([this.#server]);
  }

  panes(): Promise<readonly Placed[]> {
    const all = (): readonly Placed[] => [...this.#machine.panes.values()].map((pane) => this.#placed(pane));
    return this.#link.carry(all, 'read');
  }

  find(workerId: string): Promise<Placed | undefined> {
    return this.#link.carry(() => {
      const pane = this.#machine.panes.get(workerId);
      return pane && this.#placed(pane);
    }, 'read');
  }

  /** A server that died has another identity from then on. */
  at({ serverPid, serverStart }: PaneAddress): Promise<PaneServer | undefined> {
    const { number, serverStarts } = this.#machine;
    return Promise.resolve(serverPid === number && serverStart === serverStarts ? this.#server : undefined);
  }

  #placed(pane: SimPane): Placed {
    return { server: this.#server, pane: factsOf(pane) };
  }
}

class SimServer implements PaneServer {
  readonly #machine: MachineBody;
  readonly #agentProcess: AgentProcess;
  readonly #link: Link;
  watching: PaneWatch | null = null;

  constructor(machine: MachineBody, agentProcess: AgentProcess, link: Link) {
    this.#machine = machine;
    this.#agentProcess = agentProcess;
    this.#link = link;
  }

  /** A capture is as new as its answer: nothing happens between the answer and the next step. */
  async capture(address: PaneAddress): Promise<CaptureOutcome> {
    const { random, luck } = this.#machine.parts;
    if (random.chance(SLOW)) await this.#agentProcess.sleep(random.int(1, 60));
    if (random.chance(luck.blind)) this.#machine.goBlind();
    if (this.#machine.isBlind) throw new TmuxError('timed-out', 'tmux did not answer in time');
    return this.#link.carry((): CaptureOutcome => {
      const pane = this.#machine.paneAt(formatIncarnation(address));
      return pane === undefined ? { kind: 'pane-gone' } : { kind: 'captured', capture: captureOf(pane) };
    }, 'read');
  }

  watch(options: WatchOptions): ReturnType<PaneServer['watch']> {
    const { onTrouble, onPane, onExit } = options;
    const hear = <T extends unknown[]>(tell: ((...said: T) => void) | undefined) => {
      return (...said: T): void => this.#link.hear(() => tell?.(...said));
    };
    const heard = { ...options, onTrouble: hear(onTrouble), onPane: hear(onPane), onExit: hear(onExit) };
    this.watching = new PaneWatch(this.#machine, this.#agentProcess, heard);
    return this.watching.handle;
  }

  /** Commands of one worker come one after the other, and no person types. */
  withPane<T>(address: PaneAddress, work: (hands: PaneHands) => Promise<T>): Promise<T> {
    const incarnation = formatIncarnation(address);
    const type = (text: string): Promise<SendOutcome> => this.#send(incarnation, (pane) => this.#type(pane, text));
    return work({
      paste: type,
      pasteEach: (texts) => type(texts.join('')),
      typeText: type,
      pressKeys: (keys, { at } = {}) =>
        this.#sendIf(
          incarnation,
          (pane) => at === undefined || isDeepStrictEqual(factsOf(pane).cursor, at),
          (pane) => this.#press(pane, keys),
        ),
    });
  }

  #send(incarnation: string, act: (pane: SimPane) => void): Promise<SendOutcome> {
    return this.#link.carry(() => this.#act(incarnation, act));
  }

  #sendIf(incarnation: string, may: (pane: SimPane) => boolean, act: (pane: SimPane) => void): Promise<PressOutcome> {
    return this.#link.carry((): PressOutcome => {
      const pane = this.#machine.paneAt(incarnation);
      if (pane !== undefined && pane.program.end === null && !may(pane)) return { kind: 'cursor-moved' };
      return this.#act(incarnation, act);
    });
  }

  #act(incarnation: string, act: (pane: SimPane) => void): SendOutcome {
    const pane = this.#machine.paneAt(incarnation);
    if (pane === undefined) return { kind: 'pane-gone' };
    if (pane.program.end !== null) return { kind: 'pane-dead' };
    act(pane);
    return { kind: 'sent' };
  }

  #type({ settings: worker, program }: SimPane, text: string): void {
    const { random, luck, watch } = this.#machine.parts;
    watch.typed(worker.workerId, program, text);
    program.type(random.chance(luck.partial) ? text.slice(0, random.int(1, text.length - 1)) : text);
  }

  #press({ program }: SimPane, keys: readonly string[]): void {
    const { random, luck } = this.#machine.parts;
    for (const key of keys) if (!('dialog' in program.screen && random.chance(luck.unanswered))) program.press(key);
  }
}

/** Probability that tmux takes some time to answer. */
const SLOW = 0.1;
