/** What does a simulated tmux look like to the real deliveries, answers and observer? One server, with one pane for each worker. */
import type { PaneHands, PaneServers, PaneServer, Placed } from '@drover/machine-agent/testing';
import type { CaptureOutcome, PaneAddress, SendOutcome, WatchOptions } from '@drover/tmux';
import { formatIncarnation, TmuxError } from '@drover/tmux';
import type { AgentProcess } from './agent-process.ts';
import { PaneWatch } from './pane-watch.ts';
import type { MachineBody } from './parts.ts';
import { captureOf, factsOf } from './shown-pane.ts';
import type { SimPane } from './shown-pane.ts';

/** The panes of a machine, as one process of its agent sees them. */
export class SimTmux implements PaneServers {
  readonly #machine: MachineBody;
  readonly #server: SimServer;

  constructor(machine: MachineBody, agentProcess: AgentProcess) {
    this.#machine = machine;
    this.#server = new SimServer(machine, agentProcess);
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
    return Promise.resolve([...this.#machine.panes.values()].map((pane) => this.#placed(pane)));
  }

  find(workerId: string): Promise<Placed | undefined> {
    const pane = this.#machine.panes.get(workerId);
    return Promise.resolve(pane && this.#placed(pane));
  }

  /** A server that died has another identity from then on. */
  at({ serverPid, serverStart }: PaneAddress): Promise<PaneServer | undefined> {
    const { number, serverLives } = this.#machine;
    return Promise.resolve(serverPid === number && serverStart === serverLives ? this.#server : undefined);
  }

  #placed(pane: SimPane): Placed {
    return { server: this.#server, pane: factsOf(pane) };
  }
}

class SimServer implements PaneServer {
  readonly #machine: MachineBody;
  readonly #agentProcess: AgentProcess;
  watching: PaneWatch | null = null;

  constructor(machine: MachineBody, agentProcess: AgentProcess) {
    this.#machine = machine;
    this.#agentProcess = agentProcess;
  }

  /** What is captured is as new as the answer: nothing happens between it and what is done next. */
  async capture(address: PaneAddress): Promise<CaptureOutcome> {
    const { random, luck } = this.#machine.parts;
    if (random.chance(SLOW)) await this.#agentProcess.sleep(random.int(1, 60));
    if (random.chance(luck.blind)) this.#machine.goBlind();
    if (this.#machine.isBlind) throw new TmuxError('timed-out', 'tmux did not answer in time');
    const pane = this.#machine.paneAt(formatIncarnation(address));
    return pane === undefined ? { kind: 'pane-gone' } : { kind: 'captured', capture: captureOf(pane) };
  }

  watch(options: WatchOptions): ReturnType<PaneServer['watch']> {
    this.watching = new PaneWatch(this.#machine, this.#agentProcess, options);
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
      pressKeys: (keys) => this.#send(incarnation, (pane) => this.#press(pane, keys)),
    });
  }

  #send(incarnation: string, act: (pane: SimPane) => void): Promise<SendOutcome> {
    const pane = this.#machine.paneAt(incarnation);
    if (pane === undefined) return Promise.resolve({ kind: 'pane-gone' });
    if (pane.program.end !== null) return Promise.resolve({ kind: 'pane-dead' });
    act(pane);
    return Promise.resolve({ kind: 'sent' });
  }

  #type({ seat: worker, program }: SimPane, text: string): void {
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
