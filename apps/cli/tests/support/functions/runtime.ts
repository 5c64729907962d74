/** A runtime of functions: for each HTTP request it starts a process, which ends with its answer. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { finished } from '../../../../../tools/fleet/processes.ts';

const ONCE = fileURLToPath(new URL('once.mjs', import.meta.url));
/** Milliseconds between two ticks. */
const TICK_MS = 1_000;

/** Output of a function: its response, the body in base64. */
interface Answered {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** Parts that the functions start with. */
export interface RuntimeParts {
  /** The packed build: its `functions.js`. */
  readonly build: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The secret of the scheduler. */
  readonly tickSecret: string;
}

/** Listens on a free port of loopback, and calls `POST /internal/tick` each second. */
export class Runtime implements AsyncDisposable {
  readonly #parts: RuntimeParts;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #running = new Set<Promise<unknown>>();
  readonly #isOver = new AbortController();
  #cancelTick: () => void = () => {};
  /** Number of started processes, and their errors. */
  started = 0;
  readonly problems: string[] = [];

  private constructor(parts: RuntimeParts) {
    this.#parts = parts;
  }

  static async start(parts: RuntimeParts): Promise<Runtime> {
    const runtime = new Runtime(parts);
    await new Promise<void>((resolve) => runtime.#server.listen(0, '127.0.0.1', resolve));
    runtime.#tickSoon();
    return runtime;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The runtime does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  #tickSoon(): void {
    const timer = setTimeout(() => {
      const headers = { authorization: `Bearer ${this.#parts.tickSecret}` };
      const tick = fetch(`${this.url}/internal/tick`, { method: 'POST', headers, signal: this.#isOver.signal });
      void this.#noted(tick.then(async (response) => void (await response.text()))).finally(() =>
        this.#isOver.signal.aborted ? undefined : this.#tickSoon(),
      );
    }, TICK_MS);
    this.#cancelTick = () => clearTimeout(timer);
  }

  async #noted(work: Promise<unknown>): Promise<void> {
    const running = work.catch((error: unknown) => {
      if (!this.#isOver.signal.aborted) this.problems.push(String(error));
    });
    this.#running.add(running);
    await running;
    this.#running.delete(running);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#noted(this.#pass(request, response));
    if (!response.headersSent) response.writeHead(502).end();
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers, body } = await this.#answer(request);
    response.writeHead(status, headers.flat());
    response.end(Buffer.from(body, 'base64'));
  }

  async #answer(request: IncomingMessage): Promise<Answered> {
    const { url = '/', method = 'GET', headers } = request;
    const given = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_BY_HOP.has(name) ? [] : [[name, String(value)]],
    );
    const body = (await buffer(request)).toString('base64');
    const { build, cwd, env } = this.#parts;
    const child = spawn(process.execPath, [ONCE, build], { cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    this.started += 1;
    child.stdin.on('error', () => {}); // the process may end without reading
    child.stdin.end(JSON.stringify({ url: `${this.url}${url}`, method, headers: given, body }));
    const { status, stdout, stderr } = await finished(child);
    if (status !== 0) throw new Error(`${method} ${url}: the function ended with ${status}: ${stderr}`);
    return JSON.parse(stdout) as Answered;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver.abort();
    this.#cancelTick();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await Promise.all(this.#running);
  }
}

/** Headers of one connection, which the function does not have. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'content-length', 'expect']);
