/**
 * One simulated machine: panes that live on whatever happens to the agent, a disk, git, and the agent's process, which
 * carries out orders by the rules of the real one (journal, order by order for each worker, news held while an order acts).
 */
import type { OpResult } from '@drover/core';
import type { ObservationBody, QueryResult, WireCommand } from '@drover/protocol';
import type { GitLuck } from './git-ops.ts';
import { carryOut } from './machine-hands.ts';
import { MachineDisk } from './machine-disk.ts';
import { MachineLife, never } from './machine-life.ts';
import { keepInTouch } from './machine-sync.ts';
import type { SimTransport } from './machine-sync.ts';
import type { SeededRandom } from './random.ts';
import type { SimGit } from './sim-git.ts';
import { SimProgram } from './sim-program.ts';
import { toolFailure } from './sim-tools.ts';
import type { ProgramLuck } from './sim-program.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What can go wrong on a machine, as probabilities. Changed in place when the faults of a schedule end. */
export interface MachineLuck {
  program: ProgramLuck;
  git: GitLuck;
  /** The agent dies at one of the points of an order. */
  crash: number;
  /** Only a part of a text comes to stand in the box. */
  partial: number;
  /** A screen cannot be read when somebody looks. */
  blind: number;
  /** The option of a dialog cannot be chosen. */
  unanswered: number;
}

/** Told of everything that a check may want to know. */
export interface MachineWatch {
  taken(workerId: string, program: SimProgram, text: string): void;
  typed(workerId: string, program: SimProgram, text: string): void;
  merged(workerId: string, works: readonly string[]): void;
  acted(order: WireCommand): void;
  crashed(machine: SimMachine): void;
  log(line: string): void;
}

interface Pane {
  program: SimProgram;
  told: { readonly key: string; readonly progress: number; readonly at: number } | null;
  isLookDue: boolean;
}

/** What a machine is made of. */
export interface SimMachineParts {
  readonly name: string;
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly git: SimGit;
  readonly luck: MachineLuck;
  readonly watch: MachineWatch;
  readonly transport: SimTransport;
  readonly uuid: () => string;
}

/** Milliseconds between two reports of progress alone. */
const PROGRESS_EVERY_MS = 5_000;

/** A machine with its agent. */
export class SimMachine {
  readonly parts: SimMachineParts;
  readonly disk: MachineDisk;
  readonly panes = new Map<string, Pane>();
  life: MachineLife | null = null;
  /** How far the machine's clock is off, in milliseconds. */
  clockOffMs = 0;
  /** Screens cannot be read before this time. */
  blindUntil = 0;
  /** All work that programs here ever made. */
  readonly worksMade: string[] = [];
  #held = new Map<string, (() => void)[]>();
  #lines = new Map<string, Promise<void>>();
  #pids = 0;

  constructor(parts: SimMachineParts) {
    this.parts = parts;
    this.disk = new MachineDisk(parts.uuid(), this.now);
  }

  /** The machine's own clock. */
  readonly now = (): number => this.parts.time.now() + this.clockOffMs;

  /** The agent's process starts. */
  start(): void {
    if (this.life !== null) return;
    const life = new MachineLife(this.parts.time);
    this.life = life;
    this.#held = new Map();
    this.#lines = new Map();
    this.disk.skipNumbers();
    for (const order of this.disk.unfinished()) {
      const why = 'the machine agent ended before the outcome was recorded';
      const lost: QueryResult = { kind: 'failed', code: 'agent-restarted', message: why };
      this.disk.finish(order, order.order.kind === 'query' ? lost : { kind: 'unknown', why });
    }
    for (const [workerId, pane] of this.panes) {
      Object.assign(pane, { told: null, isLookDue: false });
      this.#changed(workerId, pane.program);
    }
    void keepInTouch(this, life, this.parts.transport);
  }

  /** The agent's process dies and is started again after a while. */
  crash(restartMs: number): void {
    if (this.life === null) return;
    this.parts.watch.log(`${this.parts.name}: the agent dies`);
    this.parts.watch.crashed(this);
    this.life.isAlive = false;
    this.life = null;
    this.disk.onAdded = () => {};
    this.parts.time.after(restartMs, () => this.start());
  }

  /** Every pane goes, as when tmux dies or the machine starts anew. */
  losePanes(): void {
    for (const { program } of this.panes.values()) program.vanish();
    this.panes.clear();
    this.life?.after(150, () => this.tellPanes());
  }

  /** Dies with some probability. @returns never, if it did. */
  async crashPoint(): Promise<void> {
    const { random, luck } = this.parts;
    if (!random.chance(luck.crash)) return;
    this.crash(random.int(200, 20_000));
    await never();
  }

  /** Takes an order as the real intake does. */
  receive(order: WireCommand, epoch: number): void {
    const receipt = this.disk.receive(order);
    if (receipt === 'known') return this.disk.answerAgain(order.id);
    if (order.epoch < epoch) return this.disk.finish(order, refused('stale-epoch'));
    if (receipt === 'superseded') return this.disk.finish(order, refused('superseded'));
    const { life } = this;
    if (life === null) return undefined;
    const line = order.order.kind === 'query' ? `query ${order.seat.workerId}` : order.seat.workerId;
    const before = this.#lines.get(line) ?? Promise.resolve();
    this.#lines.set(
      line,
      before.then(() => this.#run(life, order)),
    );
  }

  /** Starts a program in a worker's pane, in the place of the one before. */
  launch(workerId: string, conversation: string): SimProgram {
    const { time, random, luck, watch, name, git } = this.parts;
    this.panes.get(workerId)?.program.vanish();
    this.#pids += 1;
    const program: SimProgram = new SimProgram({
      incarnation: `${name}.1.%1.${this.#pids}`,
      conversation,
      world: {
        time,
        random,
        luck: luck.program,
        changed: () => this.#changed(workerId, program),
        taken: (text) => {
          const words = this.disk.transcripts.get(conversation) ?? [];
          this.disk.transcripts.set(conversation, [...words, text]);
          watch.taken(workerId, program, text);
        },
        work: (how) => {
          const work = `${name}-work-${this.worksMade.length + 1}`;
          if (git.work(workerId, how, work)) this.worksMade.push(work);
        },
        hasConflicts: () => git.worktrees.get(workerId)?.rebase != null,
        toolFailed: () => {
          const report = toolFailure(random, { at: this.now(), conversation });
          this.disk.add({ kind: 'tool-failed', workerId, incarnation: program.incarnation, report });
        },
      },
    });
    this.disk.lives.set(program.incarnation, conversation);
    this.panes.set(workerId, { program, told: null, isLookDue: false });
    watch.log(`${name}: ${program.incarnation} starts`);
    return program;
  }

  /** The session is closed. */
  closePane(workerId: string): void {
    this.panes.get(workerId)?.program.vanish();
    this.panes.delete(workerId);
  }

  /** The whole list of panes, and then every screen, as at each hello. */
  tellPanes(): void {
    const panes = [...this.panes].map(([workerId, { program }]) => ({
      workerId,
      incarnation: program.incarnation,
      dead: program.end !== null,
    }));
    this.disk.add({ kind: 'panes', panes });
  }

  tellScreens(): void {
    for (const workerId of this.panes.keys()) if (!this.#held.has(workerId)) this.#tell(workerId, true);
  }

  async #run(life: MachineLife, order: WireCommand): Promise<void> {
    const { workerId } = order.seat;
    const holds = order.order.kind === 'op' && HOLDING.has(order.order.op.kind);
    const entry = this.disk.journal.get(order.id);
    if (entry === undefined) return;
    await this.crashPoint();
    if (holds) this.#held.set(workerId, []);
    entry.state = 'started';
    this.parts.watch.acted(order);
    await this.crashPoint();
    const result = await carryOut(this, life, order);
    await this.crashPoint();
    this.parts.watch.log(`${this.parts.name}: ${order.seat.name} ${words(order)} → ${JSON.stringify(result)}`);
    this.disk.finish(order, result);
    await this.crashPoint();
    if (!holds) return;
    const waiting = this.#held.get(workerId) ?? [];
    this.#held.delete(workerId);
    for (const tell of waiting) tell();
    this.#tell(workerId, true);
  }

  #changed(workerId: string, program: SimProgram): void {
    const pane = this.panes.get(workerId);
    if (this.life === null || pane?.program !== program) return;
    if (program.end !== null) {
      this.life.after(this.parts.random.int(5, 60), () => this.#tellExit(workerId, program));
      return;
    }
    if (pane.isLookDue) return;
    pane.isLookDue = true;
    this.life.after(this.parts.random.int(20, 400), () => {
      pane.isLookDue = false;
      if (!this.#held.has(workerId)) this.#tell(workerId, false);
    });
  }

  #tell(workerId: string, evenIfKnown: boolean): void {
    const pane = this.panes.get(workerId);
    if (pane === undefined || pane.program.end !== null) return;
    const { program } = pane;
    const now = this.parts.time.now();
    const state = program.screen;
    const composer = 'composer' in state ? state.composer.kind : '';
    const key = JSON.stringify([
      state.kind,
      composer,
      'dialog' in state ? program.fingerprint : '',
      state.kind === 'processing' && state.queued,
    ]);
    const isNews =
      pane.told?.key !== key || (pane.told.progress !== program.progress && now - pane.told.at >= PROGRESS_EVERY_MS);
    if (!isNews && !evenIfKnown) return;
    pane.told = { key, progress: program.progress, at: now };
    this.parts.watch.log(`${this.parts.name}: sees ${state.kind} in ${program.incarnation}`);
    const body: ObservationBody = {
      kind: 'screen',
      workerId,
      incarnation: program.incarnation,
      look: lookAt(program, this.now()),
    };
    this.disk.add(body);
  }

  #tellExit(workerId: string, program: SimProgram): void {
    const { incarnation, end } = program;
    if (end === null) return;
    const tell = (): void => {
      if (this.disk.exitsTold.has(incarnation)) return;
      this.disk.exitsTold.add(incarnation);
      this.parts.watch.log(`${this.parts.name}: ${incarnation} ended ${JSON.stringify(end)}`);
      this.disk.add({ kind: 'exit', workerId, exit: { incarnation, at: this.now(), ...end } });
    };
    const waiting = this.#held.get(workerId);
    if (waiting === undefined) tell();
    else waiting.push(tell);
  }
}

const HOLDING: ReadonlySet<string> = new Set(['open', 'respawn', 'close', 'deliver', 'answer']);

/** A screen as it is told. */
export function lookAt(program: SimProgram, at: number): Extract<ObservationBody, { kind: 'screen' }>['look'] {
  const { screen: state, fingerprint } = program;
  return { at, state, fingerprint, progress: String(program.progress), rule: 'simulated' };
}

function refused(code: string): OpResult & QueryResult {
  return { kind: 'failed', code, message: `refused: ${code}`, retry: true };
}

function words({ order, id }: WireCommand): string {
  const what = order.kind === 'op' ? `${order.seq} ${order.op.kind}` : order.query.kind;
  return `${what} (${id.slice(-4)})`;
}
