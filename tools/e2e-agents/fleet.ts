// Reads what Drover believes and gives it work, over the API that people's tools use.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { machineView, runView, whyView, workerView, type RunView, type WhyView, type WorkerView } from '@drover/api';
import { z } from 'zod';

const endpointSchema = z.object({ url: z.string(), token: z.string() });
const answerSchema = z.object({
  result: z.object({ data: z.unknown() }).optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** A coordinator as a client sees it. */
export class Fleet {
  readonly #url: string;
  readonly #token: string;

  private constructor({ url, token }: z.output<typeof endpointSchema>) {
    this.#url = url;
    this.#token = token;
  }

  /** @returns undefined until a `drover up` of this data directory answers and its machine is connected. */
  static async find(dataDir: string): Promise<Fleet | undefined> {
    const text = await readFile(path.join(dataDir, 'endpoint.json'), 'utf8').catch(() => null);
    if (text === null || text.trim() === '') return undefined;
    const fleet = new Fleet(endpointSchema.parse(JSON.parse(text)));
    const machines = await fleet.#get('machines.list').catch(() => []);
    const isConnected = z
      .array(machineView)
      .parse(machines)
      .some(({ state }) => state === 'connected');
    return isConnected ? fleet : undefined;
  }

  /** @returns undefined when there is no such worker. */
  async worker(name: string): Promise<WorkerView | undefined> {
    const workers = z.array(workerView).parse(await this.#get('workers.list'));
    return workers.find((worker) => worker.name === name);
  }

  async why(name: string): Promise<WhyView> {
    return whyView.parse(await this.#get('workers.why', { name, limit: 300 }));
  }

  async add(name: string, machine?: string): Promise<void> {
    await this.#post('workers.add', { name, ...(machine === undefined ? {} : { machine }) });
  }

  async start(name: string, prompt: string): Promise<void> {
    await this.#post('workers.start', { name, prompt });
  }

  async startRun(run: { readonly flow: string; readonly text: string; readonly inputs: object }): Promise<RunView> {
    return runView.parse(await this.#post('runs.start', run));
  }

  async run(id: string): Promise<RunView> {
    return runView.parse(await this.#get('runs.show', { id }));
  }

  /** Looks at the candidate of a run as a person does, then says yes to what was seen. */
  async acceptRun(id: string): Promise<void> {
    const { head } = z.object({ head: z.string() }).parse(await this.#post('runs.review', { id }));
    await this.#post('runs.accept', { id, head });
  }

  async message(name: string, text: string): Promise<void> {
    await this.#post('workers.message', { name, text });
  }

  /** Accepts as a person does: looks, then accepts what was seen. */
  async accept(name: string): Promise<void> {
    await this.#post('workers.review', { name });
    await this.#post('workers.accept', { name });
  }

  async nuke(name: string): Promise<void> {
    await this.#post('workers.nuke', { name, force: true, task: 'drop' });
  }

  async #get(procedure: string, input?: unknown): Promise<unknown> {
    const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return this.#call(`${procedure}${query}`, {});
  }

  async #post(procedure: string, input: Readonly<Record<string, unknown>>): Promise<unknown> {
    const body = JSON.stringify({ ...input, requestId: randomUUID() });
    return this.#call(procedure, { method: 'POST', body });
  }

  async #call(procedure: string, init: { method?: string; body?: string }): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
    const response = await fetch(`${this.#url}/trpc/${procedure}`, { ...init, headers });
    const answer = answerSchema.parse(await response.json());
    if (answer.error !== undefined) throw new Error(`${procedure}: ${answer.error.message}`);
    return answer.result?.data;
  }
}
