// How do simulated agents come to sit in panes of a real machine agent, each with a witness log of its own?
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpResult } from '@drover/core';
import type { Seat } from '@drover/protocol';
import { SIM_AGENT_ENTRY, type WitnessLine } from '@drover/sim-agent';
import { deliverOp, TestMachine } from '../../apps/machine-agent/tests/support.ts';
import { readLines } from './animated-panes.ts';
import { sleep, until } from './wait.ts';

const AGENT = join(import.meta.dirname, '../../apps/machine-agent/tests/agent-process.ts');
/** Agents that start at the same time; each takes half a second of processor time. */
const STARTS_AT_ONCE = 3;
/** Milliseconds that any one thing may take on a loaded machine. */
const PATIENCE_MS = 60_000;

/** A worker with a simulated agent. */
export interface Receiver {
  readonly seat: Seat;
  readonly incarnation: string;
  /** Every prompt that the program took, as the model would receive it. */
  taken(): readonly Taken[];
}

/** A prompt that a program took. */
export interface Taken {
  readonly prompt: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What is typed in place of a text that stands in a file, because the program would not pass it on as it is. */
const IN_FILE = /^Read the file (\S+) and do what it says/;

/** A machine agent in a process of its own, a coordinator that gives orders, and agents that take them. */
export class Seats implements AsyncDisposable {
  readonly machine: TestMachine;
  readonly receivers: readonly Receiver[];
  readonly #agent: ChildProcess;

  private constructor(machine: TestMachine, receivers: readonly Receiver[], agent: ChildProcess) {
    this.machine = machine;
    this.receivers = receivers;
    this.#agent = agent;
  }

  static async start(count: number): Promise<Seats> {
    const machine = await TestMachine.start();
    const agent = startAgent(machine);
    const seats = Array.from({ length: count }, (_, index) => machine.seat(`w${index}`));
    const receivers: Receiver[] = [];
    // The first makes the clone that the others share.
    for (let at = 0; at < seats.length; at += at === 0 ? 1 : STARTS_AT_ONCE) {
      const group = seats.slice(at, at === 0 ? 1 : at + STARTS_AT_ONCE);
      receivers.push(...(await Promise.all(group.map((seat) => receiver(machine, seat)))));
    }
    return new Seats(machine, receivers, agent);
  }

  /** Has the next prompt answered at once, whatever it says. */
  answerQuickly({ seat }: Receiver): void {
    writeFileSync(controlOf(this.machine, seat.name), 'SAY ok');
  }

  /** Orders a delivery. @returns its outcome and the milliseconds from the order to the evidence that it was taken. */
  async deliver({ seat, incarnation }: Receiver, text: string): Promise<{ result: OpResult; tookMs: number }> {
    const { coordinator } = this.machine;
    const from = coordinator.stored.length;
    const orderedAt = Date.now();
    const { id } = coordinator.order(seat, deliverOp(incarnation, text));
    const result = await until(`the result of a delivery to ${seat.name}`, PATIENCE_MS, () => {
      const found = coordinator.stored.slice(from).find(({ body }) => body.kind === 'result' && body.commandId === id);
      return found?.body.kind === 'result' ? found.body.result : undefined;
    });
    const takenAt = result.kind === 'delivered' ? result.at : Date.now();
    return { result, tookMs: takenAt - orderedAt };
  }

  /** Waits until the worker's agent is told to be ready again, having seen so after `from` observations. */
  async ready({ seat }: Receiver, from: number): Promise<void> {
    await until(`${seat.name} to be ready`, PATIENCE_MS, () => {
      const { stored } = this.machine.coordinator;
      for (let at = stored.length - 1; at >= from; at -= 1) {
        const body = stored[at]?.body;
        if (body?.kind === 'screen' && body.workerId === seat.workerId)
          return body.look.state.kind === 'ready' ? true : undefined;
      }
      return undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#agent, 'exit');
    this.#agent.kill('SIGTERM');
    await gone;
    await this.machine[Symbol.asyncDispose]();
    await sleep(100); // programs of the killed tmux server write their last words
  }
}

function startAgent(machine: TestMachine): ChildProcess {
  const log = join(machine.dir, '$DROVER_WORKER.jsonl');
  const control = join(machine.dir, '$DROVER_WORKER.control');
  const words = [process.execPath, SIM_AGENT_ENTRY].map((word) => `'${word}'`).join(' ');
  const script = `exec ${words} --log "${log}" --control "${control}" --tick-ms 40 "$@"`;
  const profiles = { sim: { program: ['/bin/sh', '-c', script, 'sim-agent'], args: [], env: {} } };
  const options = JSON.stringify({ ...machine.plainOptions, profiles });
  return spawn(process.execPath, [AGENT, options], { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function receiver(machine: TestMachine, seat: Seat): Promise<Receiver> {
  const incarnation = await machine.ready(seat);
  const witness = join(machine.dir, `${seat.name}.jsonl`);
  if (!existsSync(witness)) throw new Error(`No witness log of ${seat.name}`);
  const taken = (): readonly Taken[] =>
    readLines<WitnessLine>(witness).flatMap((line) =>
      line.event === 'taken' ? [{ prompt: wholeOf(line.prompt), at: line.t }] : [],
    );
  return { seat, incarnation, taken };
}

/** The text itself where a line names its file, as the agent would read it. */
function wholeOf(prompt: string): string {
  const path = IN_FILE.exec(prompt)?.[1];
  return path === undefined || !existsSync(path) ? prompt : readFileSync(path, 'utf8');
}

function controlOf(machine: TestMachine, worker: string): string {
  return join(machine.dir, `${worker}.control`);
}
