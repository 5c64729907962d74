/**
 * Runs one simulated machine: panes and git that live on whatever happens to the agent, and a disk that outlives it. The machine's agent runs on
 * it, and is started again after each death; or gateways reach the machine, and it obeys the one with the highest epoch.
 */
import type { Log } from '@drover/base';
import type { CrashPoint, KeptDelivery } from '@drover/machine-agent/testing';
import type { WorkerSettings } from '@drover/protocol';
import { SimProgram, toolFailure } from '@drover/testkit';
import { TmuxError } from '@drover/tmux';
import { hostKeyOf, KeyChanged } from '../coordinator/keys.ts';
import { HERE } from './link.ts';
import type { Connection, Reached, Wire } from './link.ts';
import type { PaneWatch } from './pane-watch.ts';
import type { MachineBody, NotedFailure, SimMachineParts } from './parts.ts';
import { frozenFile, giveBack, type SavedDraft, SimStarts, spareDisk } from './records.ts';
import { RunAgents } from './runs/agents.ts';
import { UsageRecords } from './runs/usage.ts';
import type { SimPane } from './shown-pane.ts';
import { SimAgent } from './sim-agent.ts';

/** A machine with its agent. */
export class SimMachine implements MachineBody, Reached {
  readonly parts: SimMachineParts;
  readonly panes = new Map<string, SimPane>();
  readonly transcripts = new Map<string, string[]>();
  readonly drafts = new Map<string, SavedDraft>();
  readonly kept = new Map<string, KeptDelivery>();
  readonly frozen = new Map<string, string>();
  /** Lives of its tmux server. */
  serverStarts = 1;
  readonly starts: SimStarts;
  readonly runAgents: RunAgents;
  readonly usage: UsageRecords;
  /** Failures of tools that the agent has still to read. */
  readonly failures: NotedFailure[] = [];
  /** Milliseconds that the machine's clock is off. */
  clockOffMs = 0;
  /** Key by which the machine is known to gateways; another one after it was set up again. */
  hostKey = hostKeyOf(0);
  /** All work that programs here ever made. */
  readonly worksMade: string[] = [];
  /** The ways by which gateways reach it; none: its agent runs on it. */
  readonly wires: Wire[] = [];
  readonly #disk = spareDisk();
  /** Lives of its agent: of gateways several at a time, the newest at the end. */
  #agents: readonly SimAgent[] = [];
  readonly #connections = new Set<Connection>();
  /** The highest epoch of the gateways that came. */
  #epoch = 0;
  #pids = 0;
  #keys = 0;
  #blindUntil = 0;
  #uninstalledUntil = 0;

  constructor(parts: SimMachineParts) {
    this.parts = parts;
    this.starts = new SimStarts(parts.tellsStarts);
    const { runs } = parts.watch;
    this.runAgents = new RunAgents({ ...parts, now: this.now, watch: runs });
    this.usage = new UsageRecords(this.now, (used) => runs.used(used));
  }

  get name(): string {
    return this.parts.name;
  }

  /** Tells whether the process of its agent runs. */
  get isUp(): boolean {
    return this.#newest?.process.isStopped === false;
  }

  get #newest(): SimAgent | undefined {
    return this.#agents.at(-1);
  }

  /** The first part of the names of its panes. */
  get number(): number {
    return this.parts.number;
  }

  /** Tells whether no screen can be read for the moment. */
  get isBlind(): boolean {
    return this.parts.time.now() < this.#blindUntil;
  }

  /** Tells whether the agents' program is missing for the moment. */
  get isUninstalled(): boolean {
    return this.parts.time.now() < this.#uninstalledUntil;
  }

  /** Takes the agents' program away for a while, and ends what runs of it, or the whole terminal. */
  uninstall(ms: number): void {
    const { random, watch, time, name } = this.parts;
    watch.log(`! ${name}: the program is not there for ${ms} ms`);
    this.#uninstalledUntil = time.now() + ms;
    if (random.chance(0.4)) return this.losePanes();
    for (const { program } of this.panes.values())
      program.kill({ status: null, signal: 15, lastLines: [], limit: null });
  }

  /** Tells whether nothing may begin in the place of a worker; null while no agent says it. */
  isFrozen(workerId: string): boolean | null {
    const newest = this.#newest;
    if (newest?.link.epoch !== undefined) return this.frozen.has(frozenFile(workerId));
    return newest === undefined ? null : newest.stores.knownWorkers.frozenFor(workerId) !== undefined;
  }

  goBlind(): void {
    this.#blindUntil = this.parts.time.now() + this.parts.random.int(100, BLIND_MAX_MS);
  }

  /** The pane of this incarnation; undefined when it is gone. */
  paneAt(incarnation: string): SimPane | undefined {
    return [...this.panes.values()].find(({ program }) => program.incarnation === incarnation);
  }

  /** The machine's own clock. */
  readonly now = (): number => this.parts.time.now() + this.clockOffMs;

  /** The process of its own agent starts; one that gateways reach has none. */
  start(): void {
    if (this.#agents.length > 0 || this.wires.length > 0) return;
    const { random, keys, joinToken, post } = this.parts;
    const agent = new SimAgent({
      machine: this,
      db: this.#disk.open(),
      keys,
      joinToken,
      post,
      now: this.now,
      link: HERE,
      die: (point) => this.crash(random.int(200, 20_000), point),
    });
    this.begin(agent);
  }

  /** A life of its agent begins, here or in a gateway, until its process dies. */
  begin(agent: SimAgent): void {
    this.#agents = [...this.#agents, agent];
    agent.process.onDeath(() => {
      this.#agents = this.#agents.filter((one) => one !== agent);
    });
    agent.start();
    this.#tellFailures();
  }

  /** The agent's process dies and is started again after a while. @param point Where in an order; null: anywhere. */
  crash(restartMs: number, point: CrashPoint | null = null): void {
    const newest = this.#newest;
    if (newest === undefined || this.wires.length > 0) return;
    this.parts.watch.log(`${this.parts.name}: the agent dies${point === null ? '' : ` at "${point}"`}`);
    this.parts.watch.crashed(point);
    newest.process.die();
    this.parts.time.after(restartMs, () => this.start());
  }

  /** The whole machine is restarted: its panes and its connections are gone, and no gateway reaches it for a while. */
  reboot(ms: number): void {
    this.crash(ms);
    for (const wire of this.wires) wire.cut(ms);
    for (const connection of this.#connections) connection.isOver = true;
    this.#connections.clear();
    this.losePanes();
    this.starts.again();
    this.parts.watch.restarted(this.number, this.serverStarts);
  }

  /** Sets the machine up again, with the same disk and another key, and ends its connections. */
  changeKey(): void {
    this.#keys += 1;
    this.hostKey = hostKeyOf(this.#keys);
    for (const connection of this.#connections) connection.isOver = true;
    this.#connections.clear();
    for (const wire of this.wires) wire.cut(1);
  }

  /** Connects a gateway. Ends what this gateway, or one before it, has left here, but for what reached tmux already. */
  arrive(epoch: number, pinned: readonly string[]): Connection {
    const { watch, random, name } = this.parts;
    if (!pinned.includes(this.hostKey)) throw new KeyChanged(`"${name}" shows another key than before`);
    watch.gateways.loggedIn(name, this.hostKey);
    if (epoch < this.#epoch) throw new TmuxError('fenced', `a gateway with the epoch ${this.#epoch} was here`);
    if (epoch > this.#epoch) watch.gateways.claimed(name, epoch);
    this.#epoch = epoch;
    for (const one of this.#connections) if (one.epoch === epoch || random.chance(0.5)) one.isOver = true;
    const connection: Connection = { epoch, isOver: false };
    this.#connections.add(connection);
    return connection;
  }

  obeys(epoch: number): boolean {
    if (epoch < this.#epoch) this.parts.watch.gateways.fenced(this.parts.name, epoch);
    return epoch >= this.#epoch || this.parts.broken.obeysAll === true;
  }

  acts(epoch: number): void {
    this.parts.watch.gateways.actedBy(this.parts.name, epoch);
  }

  /** The schedule is over: nothing of this machine is used any more. */
  scrap(): void {
    for (const { process } of this.#agents) process.die();
    this.#agents = [];
    giveBack(this.#disk);
  }

  /** Every pane goes, as when tmux dies or the machine restarts. */
  losePanes(): void {
    const lost = [...this.panes.values()];
    this.panes.clear();
    this.serverStarts += 1;
    for (const pane of lost) this.#vanish(pane);
  }

  /** Starts a program in a worker's pane, in place of the previous one. */
  launch(worker: WorkerSettings, conversation: string): SimProgram {
    const { time, random, luck, watch, name, number, clones } = this.parts;
    const { workerId, project } = worker;
    const git = clones.of(project.id);
    this.closePane(workerId);
    this.#pids += 1;
    this.runAgents.started(workerId);
    const program: SimProgram = new SimProgram({
      incarnation: `${number}.${this.serverStarts}.%1.${this.#pids}`,
      conversation,
      world: {
        time,
        random,
        luck: luck.program,
        changed: () => {
          if (this.panes.get(workerId) !== pane) return;
          this.runAgents.changed(workerId, program);
          this.usage.changed(workerId, program);
          this.#eachWatch((seen) => seen.changed(pane));
        },
        taken: (text) => {
          const words = this.transcripts.get(conversation) ?? [];
          this.transcripts.set(conversation, [...words, text]);
          watch.taken(workerId, program, text);
          program.limitedUntil = Math.max(program.limitedUntil, this.runAgents.took(workerId, text));
        },
        work: (how) => {
          if (!this.runAgents.mayWork(workerId)) return;
          const work = `${name}-work-${this.worksMade.length + 1}`;
          if (!git.work(workerId, how, work)) return;
          this.worksMade.push(work);
          watch.worked(work, { projectId: project.id, workerId });
        },
        hasConflicts: () => git.worktrees.get(workerId)?.rebase != null,
        toolFailed: () => {
          const report = toolFailure(random, { at: this.now(), conversation });
          this.failures.push({ workerId, incarnation: program.incarnation, report });
          this.#tellFailures();
        },
      },
    });
    const pane: SimPane = { program, settings: worker };
    this.panes.set(workerId, pane);
    this.parts.launched(workerId);
    this.#eachWatch((seen) => seen.changed(pane));
    watch.started(program.incarnation, worker);
    watch.log(`${name}: ${program.incarnation} starts`);
    return program;
  }

  /** The session is closed. */
  closePane(workerId: string): void {
    const pane = this.panes.get(workerId);
    this.panes.delete(workerId);
    if (pane !== undefined) this.#vanish(pane);
  }

  #vanish(pane: SimPane): void {
    pane.program.vanish();
    this.#eachWatch((seen) => seen.vanished(pane));
  }

  #eachWatch(tell: (watch: PaneWatch) => void): void {
    for (const { tmux } of this.#agents) if (tmux.watch !== null) tell(tmux.watch);
  }

  /** Reads failed tools from where the hooks wrote them. */
  #tellFailures(): void {
    const newest = this.#newest;
    if (newest === undefined || newest.process.isStopped) return;
    for (const failure of this.failures.splice(0)) newest.stores.outbox.add({ kind: 'tool-failed', ...failure });
  }

  readonly log: Log = (level, message, fields) => {
    const { watch, name } = this.parts;
    const line = `${name} says ${message} ${JSON.stringify(fields ?? {})}`;
    watch.log(`    ${line}`);
    // A gateway that was replaced may ask once more, with the key that was its own.
    const isReplaced = this.wires.length > 0 && message.includes('with this key has joined here');
    if (level === 'error' && !isReplaced) watch.complained(line);
  };
}

/** Milliseconds for which screens cannot be read once they could not, at most. */
const BLIND_MAX_MS = 8_000;
