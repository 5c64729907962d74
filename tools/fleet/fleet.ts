/** A person at work with Drover while its parts die: requests and queries are repeated until a coordinator answers. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import type { TRPCClient } from '@trpc/client';
import type { AppRouter, EscalationView, MachineView, RunEventView, RunView, WhyView, WorkerView } from '@drover/api';
import { until } from './wait.ts';

export interface Endpoint {
  readonly url: string;
  readonly token: string;
}

/** Reads the address of the last `drover up` of a data directory; the next process may be about to replace it. */
export function endpointIn(dataDir: string): Endpoint | null {
  const file = join(dataDir, 'endpoint.json');
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Endpoint;
  } catch {
    return null;
  }
}

/** Milliseconds until a coordinator must have answered, restarts included. */
const PATIENCE_MS = 120_000;
/** Milliseconds for one call, longer than a coordinator waits for a machine; a killed coordinator closes its connections at once. */
const CALL_MS = 60_000;

export class Fleet {
  readonly #where: () => Endpoint | null;
  readonly #expectAlive: () => void;

  /** @param where Returns the coordinator's present address; null while it is unknown. @param expectAlive Throws if a process died by itself. */
  constructor(where: () => Endpoint | null, expectAlive: () => void) {
    this.#where = where;
    this.#expectAlive = expectAlive;
  }

  list(): Promise<readonly WorkerView[]> {
    return this.#ask('the list of workers', (client) => client.workers.list.query());
  }

  /** @returns undefined when there is no such worker. */
  async worker(name: string): Promise<WorkerView | undefined> {
    return (await this.list()).find((worker) => worker.name === name);
  }

  why(name: string, limit = 60): Promise<WhyView> {
    return this.#ask(`why ${name}`, (client) => client.workers.why.query({ name, limit }));
  }

  /** @param machine The machine on which it must be; absent: any. */
  async add(name: string, machine?: string): Promise<void> {
    const input = { requestId: randomUUID(), name, ...(machine !== undefined && { machine }) };
    await this.#ask(`add ${name}`, (client) => client.workers.add.mutate(input));
  }

  async message(name: string, text: string): Promise<void> {
    const requestId = randomUUID();
    await this.#ask(`message ${name}`, (client) => client.workers.message.mutate({ requestId, name, text }));
  }

  /** Starts a task with the same request id at each try: one task. */
  async start(name: string, prompt: string): Promise<void> {
    const requestId = randomUUID();
    await this.#ask(`start ${name}`, (client) => client.workers.start.mutate({ requestId, name, prompt }));
  }

  /** Reviews, then accepts the shown commit, like a person. */
  async accept(name: string): Promise<void> {
    await this.#ask(`review ${name}`, (client) => client.workers.review.mutate({ name }));
    const requestId = randomUUID();
    await this.#ask(`accept ${name}`, (client) => client.workers.accept.mutate({ requestId, name }));
  }

  /** Removes a worker with its work. */
  async nuke(name: string): Promise<void> {
    const requestId = randomUUID();
    await this.#ask(`nuke ${name}`, (client) =>
      client.workers.nuke.mutate({ requestId, name, force: true, task: 'drop' }),
    );
  }

  /** Starts a run with the same id at each try: one run. @param text Of a flow that the project does not have. @returns its id. */
  async startRun(flow: string, goal: string, text?: string): Promise<string> {
    const requestId = randomUUID();
    const input = { requestId, flow, inputs: { goal }, ...(text !== undefined && { text }) };
    await this.#ask(`run ${flow}`, (client) => client.runs.start.mutate(input));
    return requestId;
  }

  run(id: string): Promise<RunView> {
    return this.#ask(`run ${id}`, (client) => client.runs.show.query({ id }));
  }

  runEvents(id: string): Promise<readonly RunEventView[]> {
    return this.#ask(`why run ${id}`, (client) => client.runs.events.query({ id, after: 0, limit: 500 }));
  }

  async acceptRun(id: string): Promise<void> {
    const requestId = randomUUID();
    await this.#ask(`accept of run ${id}`, (client) => client.runs.answer.mutate({ requestId, id, option: 'accept' }));
  }

  invite(): Promise<{ readonly token: string }> {
    return this.#ask('an invitation', (client) => client.machines.invite.mutate({ ttlMs: 600_000 }));
  }

  machines(): Promise<readonly MachineView[]> {
    return this.#ask('the list of machines', (client) => client.machines.list.query());
  }

  questions(worker: string): Promise<readonly EscalationView[]> {
    const input = { worker, all: false, limit: 10 };
    return this.#ask(`the questions of ${worker}`, (client) => client.escalations.list.query(input));
  }

  /** Chooses an option of a question, like a person. */
  async answer({ shortId, asked }: EscalationView, option: string): Promise<void> {
    const input = { requestId: randomUUID(), id: shortId, asked, option };
    await this.#ask(`the answer to ${shortId}`, (client) => client.escalations.resolve.mutate(input));
  }

  /** Waits until the machine agent has connected. */
  async connected(): Promise<void> {
    const ask = async (): Promise<true | undefined> => {
      const machines = await this.machines();
      return machines.some(({ state }) => state === 'connected') ? true : undefined;
    };
    await until(() => 'the machine to connect', ask, PATIENCE_MS);
  }

  /** Waits until these workers are in a state. @throws if one is in `never`, or not in time. */
  async reach(
    names: readonly string[],
    { status, never, withinMs }: { status: string; never: readonly string[]; withinMs: number },
  ): Promise<void> {
    let seen: readonly WorkerView[] = [];
    const ask = async (): Promise<true | undefined> => {
      seen = (await this.list()).filter(({ name }) => names.includes(name));
      const lost = seen.find((worker) => never.includes(worker.status));
      if (lost !== undefined) throw new Error(`${lost.name} became ${lost.status}: ${lost.note}`);
      return seen.length === names.length && seen.every((worker) => worker.status === status) ? true : undefined;
    };
    await until(() => `${status}: ${seen.map((w) => `${w.name} ${w.status} (${w.note})`).join(', ')}`, ask, withinMs);
  }

  async #ask<T>(what: string, call: (client: TRPCClient<AppRouter>) => Promise<T>): Promise<T> {
    let last: unknown = 'no coordinator is there';
    const attempt = async (): Promise<{ value: T } | undefined> => {
      this.#expectAlive();
      const where = this.#where();
      if (where === null) return undefined;
      try {
        return { value: await call(clientOf(where)) };
      } catch (error) {
        // Only an answer of a coordinator that knows us ends the waiting.
        if (isRefusal(error)) throw error;
        last = error;
        return undefined;
      }
    };
    return (await until(() => `an answer to "${what}" (${String(last)})`, attempt, PATIENCE_MS)).value;
  }
}

function clientOf({ url, token }: Endpoint): TRPCClient<AppRouter> {
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${url}/trpc`,
        headers: { authorization: `Bearer ${token}` },
        fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(CALL_MS) } as RequestInit),
      }),
    ],
  });
}

/** Tells whether a coordinator that knows us has said no: nothing was done. */
export function isRefusal(error: unknown): boolean {
  const data: unknown = error instanceof TRPCClientError ? error.data : null;
  if (typeof data !== 'object' || data === null || !('httpStatus' in data)) return false;
  return typeof data.httpStatus === 'number' && data.httpStatus < 500 && data.httpStatus !== 401;
}
