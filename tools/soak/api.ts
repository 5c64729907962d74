// Calls the coordinator's API for the soak, and repeats each call: some process is always down.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { machineView, requestView, workerView, type MachineView, type WorkerView } from '@drover/api';
import { z } from 'zod';

/** Milliseconds for one call. */
const CALL_MS = 15_000;
/** A call must be answered within so many milliseconds, whatever the chaos does in that time. */
const PATIENCE_MS = 180_000;
const AGAIN_MS = 500;

const answer = z.object({ result: z.object({ data: z.unknown() }) });
const refusal = z.object({ error: z.object({ message: z.string() }) });
const question = z.object({
  shortId: z.string(),
  asked: z.number(),
  title: z.string(),
  question: z.object({ options: z.array(z.object({ id: z.string() })) }),
});
/** A question that waits for a person. */
export type Question = z.infer<typeof question>;
const reportPart = z.object({
  errors: z.array(z.object({ code: z.string(), count: z.number(), recovered: z.number() })),
});

/** The coordinator said no: nothing was done. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Requests and questions. Each is repeated under the same id until a coordinator answers. */
export class Api {
  readonly #url: string;
  readonly #token: string;
  readonly #signal: AbortSignal;

  constructor(url: string, token: string, signal: AbortSignal) {
    this.#url = url;
    this.#token = token;
    this.#signal = signal;
  }

  async workers(): Promise<readonly WorkerView[]> {
    return z.array(workerView).parse(await this.#ask('workers.list'));
  }

  /** Asks once. @throws when no coordinator answers. */
  async workersOnce(): Promise<readonly WorkerView[]> {
    return z.array(workerView).parse(await this.#call('workers.list', {}));
  }

  /** Asks once. @throws when no coordinator answers. */
  async machinesOnce(): Promise<readonly MachineView[]> {
    return z.array(machineView).parse(await this.#call('machines.list', {}));
  }

  /** @throws when the machine is not there in time. */
  async connected(): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    while (!(await this.machinesOnce().catch(() => [])).some(({ state }) => state === 'connected')) {
      if (Date.now() > end) throw new Error(`The machine is not connected after ${PATIENCE_MS / 1_000} s`);
      await delay(AGAIN_MS, undefined, { signal: this.#signal });
    }
  }

  async invite(): Promise<string> {
    return z.object({ token: z.string() }).parse(await this.#tell('machines.invite', { ttlMs: 600_000 })).token;
  }

  /** Accepts as a person does: looks, then accepts what was seen. */
  async accept(name: string): Promise<void> {
    await this.#tell('workers.review', { name });
    await this.#tell('workers.accept', { requestId: randomUUID(), name });
  }

  async request(what: 'add' | 'start', input: Readonly<Record<string, string>>): Promise<void> {
    requestView.parse(await this.#tell(`workers.${what}`, { requestId: randomUUID(), ...input }));
  }

  async questions(worker: string): Promise<readonly Question[]> {
    return z.array(question).parse(await this.#ask('escalations.list', { worker, all: false, limit: 10 }));
  }

  async resolve({ shortId: id, asked }: Question, option: string): Promise<void> {
    await this.#tell('escalations.resolve', { requestId: randomUUID(), id, asked, option });
  }

  /** Counts how often each code was met since then, and how often it was recovered from. */
  async codes(sinceMs: number): Promise<z.infer<typeof reportPart>['errors']> {
    return reportPart.parse(await this.#ask('report', { sinceMs })).errors;
  }

  async #ask(path: string, input?: unknown): Promise<unknown> {
    const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return this.#insist(`${path}${query}`, {});
  }

  async #tell(path: string, input: unknown): Promise<unknown> {
    return this.#insist(path, { method: 'POST', body: JSON.stringify(input) });
  }

  async #insist(path: string, init: RequestInit): Promise<unknown> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      this.#signal.throwIfAborted();
      try {
        return await this.#call(path, init);
      } catch (error) {
        if (error instanceof Refused || Date.now() > end) throw error;
      }
      await delay(AGAIN_MS, undefined, { signal: this.#signal });
    }
  }

  /** @throws {Refused} what the coordinator does not want; any other error when it could not answer. */
  async #call(path: string, init: RequestInit): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(CALL_MS);
    const response = await fetch(`${this.#url}/trpc/${path}`, { ...init, headers, signal });
    const body: unknown = await response.json();
    if (response.ok) return answer.parse(body).result.data;
    const { message } = refusal.parse(body).error;
    if (response.status < 500 && response.status !== 401) throw new Refused(`${path}: ${message}`);
    throw new Error(`${path}: ${response.status} ${message}`);
  }
}
