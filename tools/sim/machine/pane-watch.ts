/** Tells the agent what happens in simulated panes: some time later, and the end of each program once, as from tmux. */
import type { PaneServer } from '@drover/machine-agent/testing';
import type { SimProgram } from '@drover/testkit';
import type { PaneExit, WatchOptions } from '@drover/tmux';
import type { AgentProcess } from './agent-process.ts';
import type { MachineBody } from './parts.ts';
import { captureOf, causeOf, factsOf } from './shown-pane.ts';
import type { SimPane } from './shown-pane.ts';

/** The watch of one agent process over all panes of a machine. */
export class PaneWatch {
  readonly #machine: MachineBody;
  readonly #agentProcess: AgentProcess;
  readonly #options: WatchOptions;
  readonly #due = new Set<SimProgram>();
  readonly #ended = new Set<SimProgram>();

  constructor(machine: MachineBody, agentProcess: AgentProcess, options: WatchOptions) {
    this.#machine = machine;
    this.#agentProcess = agentProcess;
    this.#options = options;
    for (const pane of machine.panes.values()) this.changed(pane);
  }

  /** Handle of the watch that the agent holds. */
  readonly handle: ReturnType<PaneServer['watch']> = {
    checkNow: () => {},
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };

  /** A screen changed, or a program ended. */
  changed(pane: SimPane): void {
    const { program } = pane;
    const { random } = this.#machine.parts;
    if (program.end !== null) {
      const exit = exitOf(pane);
      this.#agentProcess.after(random.int(5, 60), () => this.#told(program, exit));
      return;
    }
    if (this.#due.has(program)) return;
    this.#due.add(program);
    this.#agentProcess.after(random.int(20, 400), () => {
      this.#due.delete(program);
      if (program.end === null && this.#machine.panes.get(pane.settings.workerId) === pane) this.#see(pane);
    });
  }

  /** The pane is no more. */
  vanished(pane: SimPane): void {
    const exit: PaneExit = { ...exitOf(pane), cause: { kind: 'gone' } };
    this.#agentProcess.after(this.#machine.parts.random.int(5, 60), () => this.#told(pane.program, exit));
  }

  #see(pane: SimPane): void {
    if (this.#machine.isBlind) return this.#options.onTrouble?.(new Error('the server is busy'));
    const capture = captureOf(pane);
    this.#options.onPane?.(capture.facts, capture);
  }

  #told(program: SimProgram, exit: PaneExit): void {
    if (this.#ended.has(program)) return;
    this.#ended.add(program);
    this.#options.onExit?.(exit);
  }
}

function exitOf(pane: SimPane): PaneExit {
  const { incarnation, sessionName, options } = factsOf(pane);
  return { incarnation, sessionName, options, cause: causeOf(pane.program) };
}
