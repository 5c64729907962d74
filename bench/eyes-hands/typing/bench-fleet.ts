// Puts agents into panes of a real machine agent, with a witness of what each took.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeliveryEvidence, Command, CommandResult } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import { TestMachine } from '../../../apps/machine-agent/tests/support/machine.ts';
import { deliverCommand } from '../../../apps/machine-agent/tests/support/deliver-command.ts';
import { sleep, until } from '../wait.ts';

const AGENT = join(import.meta.dirname, '../../../apps/machine-agent/tests/support/agent-process.ts');
/** Agents that start at the same time; each takes half a second of processor time or more. */
const STARTS_AT_ONCE = 3;
/** Milliseconds that any one step may take on a loaded machine: more than the 60 s that a command has. */
const PATIENCE_MS = 150_000;

/** The program of the workers, and its witness. */
export interface Cast {
  /** The profile by which it is read and typed to. */
  readonly profile: string;
  /** Prepares the machine before its agent starts. @returns how the machine agent starts the program. */
  program(machine: TestMachine): Promise<ProgramSettings>;
  /** Answers a worker's next prompt at once, whatever it says. */
  answerQuickly(machine: TestMachine, worker: string): void;
  /** Prompts that a worker's program took, as its model received them; those of others may be there too. */
  taken(machine: TestMachine, worker: string): readonly Taken[];
}

/** Command of a program: its words, its further arguments, and its environment. */
export interface ProgramSettings {
  readonly program: [string, ...string[]];
  readonly args: string[];
  readonly env: Record<string, string>;
}

/** A worker with its agent. */
export interface Receiver {
  readonly settings: WorkerSettings;
  readonly incarnation: string;
  /** Every prompt that the program took, as the model would receive it. */
  taken(): readonly Taken[];
}

/** Differences of the next attempt from a first one. */
export type Change = Partial<Extract<Command, { kind: 'deliver' }>>;

/** A prompt that a program took. */
export interface Taken {
  readonly prompt: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Line typed in place of a text that stands in a file, because the program would not pass it on as it is. */
const IN_FILE = /^Read the file (\S+) and do what it says/;

/** A machine agent in a process of its own, a coordinator that sends commands, and agents that receive them. */
export class BenchFleet implements AsyncDisposable {
  readonly machine: TestMachine;
  readonly receivers: readonly Receiver[];
  readonly #cast: Cast;
  readonly #owned: AsyncDisposableStack;

  private constructor(parts: {
    machine: TestMachine;
    receivers: readonly Receiver[];
    cast: Cast;
    owned: AsyncDisposableStack;
  }) {
    this.machine = parts.machine;
    this.receivers = parts.receivers;
    this.#cast = parts.cast;
    this.#owned = parts.owned;
  }

  static async start(count: number, cast: Cast): Promise<BenchFleet> {
    await using stack = new AsyncDisposableStack();
    const machine = stack.use(await TestMachine.start());
    const agent = startAgent(machine, { [cast.profile]: await cast.program(machine) });
    stack.defer(() => ended(agent));
    // The agent's start takes longer on a loaded machine, and the first command has a deadline of its own.
    await until('the first word of the machine agent', PATIENCE_MS, () => machine.coordinator.stored[0]);
    const workers = Array.from({ length: count }, (_, index) => machine.worker(`w${index}`, { profile: cast.profile }));
    const receivers: Receiver[] = [];
    // The first makes the depot from which the others borrow.
    for (let at = 0; at < workers.length; at += at === 0 ? 1 : STARTS_AT_ONCE) {
      const group = workers.slice(at, at === 0 ? 1 : at + STARTS_AT_ONCE);
      receivers.push(...(await Promise.all(group.map((worker) => receiver(machine, worker, cast)))));
    }
    return new BenchFleet({ machine, receivers, cast, owned: stack.move() });
  }

  /** Answers the next prompt at once, whatever it says. */
  answerQuickly({ settings: worker }: Receiver): void {
    this.#cast.answerQuickly(this.machine, worker.name);
  }

  /**
   * Commands a delivery.
   *
   * @returns its outcome, the milliseconds from the command to the evidence that it was taken, and the command's number.
   */
  async deliver(
    { settings: worker, incarnation }: Receiver,
    text: string,
    change: Change = {},
  ): Promise<{ result: CommandResult; tookMs: number; seq: number }> {
    const requestedAt = Date.now();
    const { result, seq } = await this.#commanded(worker, deliverCommand(incarnation, text, change));
    const takenAt = result.kind === 'delivered' ? result.at : Date.now();
    return { result, tookMs: takenAt - requestedAt, seq };
  }

  /** Returns the evidence of a look at an attempt whose outcome is unknown. */
  async evidence({ settings: worker }: Receiver, delivery: number): Promise<DeliveryEvidence['kind']> {
    const { result } = await this.#commanded(worker, { kind: 'observe', base: null, delivery });
    return result.kind === 'observed' && result.delivery !== null ? result.delivery.kind : 'unclear';
  }

  async #commanded(worker: WorkerSettings, command: Command): Promise<{ result: CommandResult; seq: number }> {
    const { coordinator } = this.machine;
    const from = coordinator.stored.length;
    const { id, seq } = coordinator.command(worker, command);
    const result = await until(`the result of "${command.kind}" for ${worker.name}`, PATIENCE_MS, () => {
      const found = coordinator.stored.slice(from).find(({ body }) => body.kind === 'result' && body.commandId === id);
      return found?.body.kind === 'result' ? found.body.result : undefined;
    });
    return { result, seq };
  }

  /** Waits until the worker's agent is told to be ready again, having seen so after `from` observations. */
  async ready({ settings: worker }: Receiver, from: number): Promise<void> {
    await until(`${worker.name} to be ready`, PATIENCE_MS, () => {
      const { stored } = this.machine.coordinator;
      for (let at = stored.length - 1; at >= from; at -= 1) {
        const body = stored[at]?.body;
        if (body?.kind === 'screen' && body.workerId === worker.workerId)
          return body.reading.state.kind === 'ready' ? true : undefined;
      }
      return undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
    await sleep(100); // programs of the killed tmux server write their last words
  }
}

function startAgent(machine: TestMachine, profiles: Readonly<Record<string, ProgramSettings>>): ChildProcess {
  const options = JSON.stringify({ ...machine.plainOptions, profiles });
  return spawn(process.execPath, [AGENT, options], { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function ended(agent: ChildProcess): Promise<void> {
  const gone = once(agent, 'exit');
  if (agent.kill('SIGTERM')) await gone;
}

async function receiver(machine: TestMachine, worker: WorkerSettings, cast: Cast): Promise<Receiver> {
  const incarnation = await machine.ready(worker);
  const taken = (): readonly Taken[] =>
    cast.taken(machine, worker.name).map(({ prompt, at }) => ({ prompt: wholeOf(prompt), at }));
  return { settings: worker, incarnation, taken };
}

/** The text itself where a line names its file, as the agent would read it. */
function wholeOf(prompt: string): string {
  const path = IN_FILE.exec(prompt)?.[1];
  return path === undefined || !existsSync(path) ? prompt : readFileSync(path, 'utf8');
}
