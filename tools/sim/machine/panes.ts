/** Who tells what happens in the simulated panes? By the rules of the real observer (V1, V2), with its real judgement of news. */
import { isWorthTelling, keyOf } from '@drover/machine-agent/testing';
import type { Hold, Panes, Stores, Told } from '@drover/machine-agent/testing';
import type { SimProgram } from '@drover/testkit';
import type { AgentLife } from './agent-life.ts';
import { lookAt } from './look.ts';
import type { SimMachine } from './sim-machine.ts';

/** Milliseconds that news of vanished panes are collected. */
const COLLECT_MS = 150;

/** Watches the panes of one machine during one life of its agent. */
export class SimPanes implements Panes {
  readonly #machine: SimMachine;
  readonly #life: AgentLife;
  readonly #stores: Stores;
  readonly #held = new Map<string, (() => void)[]>();
  readonly #told = new Map<string, Told>();
  readonly #lookDue = new Set<string>();

  constructor(machine: SimMachine, life: AgentLife, stores: Stores) {
    this.#machine = machine;
    this.#life = life;
    this.#stores = stores;
  }

  /** The agent has started: what is there is looked at. */
  start(): void {
    for (const [workerId, program] of this.#machine.panes) this.changed(workerId, program);
    this.tellFailures();
  }

  hold(workerId: string): Hold {
    if (!this.#held.has(workerId)) this.#held.set(workerId, []);
    return { release: () => this.#release(workerId) };
  }

  tellPanes(): Promise<void> {
    const panes = [...this.#machine.panes].map(([workerId, { incarnation, end }]) => {
      return { workerId, incarnation, dead: end !== null };
    });
    this.#stores.outbox.add({ kind: 'panes', panes });
    return Promise.resolve();
  }

  tellScreens(): Promise<void> {
    for (const workerId of this.#machine.panes.keys()) if (!this.#held.has(workerId)) this.#tell(workerId, true);
    return Promise.resolve();
  }

  /** All panes went at once. */
  vanished(): void {
    this.#life.after(COLLECT_MS, () => void this.tellPanes());
  }

  /** What tools failed is read from where the hooks wrote it. */
  tellFailures(): void {
    for (const failure of this.#machine.failures.splice(0))
      this.#stores.outbox.add({ kind: 'tool-failed', ...failure });
  }

  /** A screen changed, or a program ended. */
  changed(workerId: string, program: SimProgram): void {
    const { random } = this.#machine.parts;
    if (this.#machine.panes.get(workerId) !== program) return;
    if (program.end !== null) {
      this.#life.after(random.int(5, 60), () => this.#tellExit(workerId, program));
      return;
    }
    if (this.#lookDue.has(workerId)) return;
    this.#lookDue.add(workerId);
    this.#life.after(random.int(20, 400), () => {
      this.#lookDue.delete(workerId);
      if (!this.#held.has(workerId)) this.#tell(workerId, false);
    });
  }

  #release(workerId: string): void {
    if (!this.#life.isAlive) return;
    const waiting = this.#held.get(workerId) ?? [];
    this.#held.delete(workerId);
    for (const tell of waiting) tell();
    this.#tell(workerId, true);
  }

  #tell(workerId: string, evenIfKnown: boolean): void {
    const program = this.#machine.panes.get(workerId);
    if (program === undefined || program.end !== null) return;
    const { incarnation } = program;
    const { name, watch } = this.#machine.parts;
    const look = lookAt(program, this.#machine.now());
    if (!evenIfKnown && !isWorthTelling(this.#told.get(incarnation), look)) return;
    this.#told.set(incarnation, { key: keyOf(look), progress: look.progress, at: look.at });
    watch.log(`${name}: sees ${look.state.kind} in ${incarnation}`);
    this.#stores.outbox.add({ kind: 'screen', workerId, incarnation, look });
  }

  #tellExit(workerId: string, { incarnation, end }: SimProgram): void {
    if (end === null) return;
    const { book, outbox } = this.#stores;
    const { name, watch } = this.#machine.parts;
    const exit = { incarnation, at: this.#machine.now(), ...end };
    const tell = (): void =>
      book.tellExitOnce(incarnation, () => {
        watch.log(`${name}: ${incarnation} ended ${JSON.stringify(end)}`);
        outbox.add({ kind: 'exit', workerId, exit });
      });
    const waiting = this.#held.get(workerId);
    if (waiting === undefined) tell();
    else waiting.push(tell);
  }
}
