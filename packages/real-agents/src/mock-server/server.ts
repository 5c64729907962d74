// Records what a program says to the model, and when the model is at work. Serves a model on loopback, in four dialects.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
// oxlint-disable-next-line no-restricted-imports -- streams to real programs, in real time
import { setTimeout as delay } from 'node:timers/promises';
import { say, actionFor, cueOf } from './script.ts';
import type { Action, Asked, Dialect, Frame } from './actions.ts';
import { ANTHROPIC } from './anthropic.ts';
import { CHAT } from './chat.ts';
import { GEMINI } from './gemini.ts';
import { RESPONSES } from './responses.ts';

const DIALECTS: readonly Dialect[] = [ANTHROPIC, RESPONSES, CHAT, GEMINI];

/** Request of an agent's turn and how it ended. Requests for titles and the like are not kept. */
export type Exchange = {
  readonly id: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly asked: Asked;
  readonly keyword: string | null;
  readonly action: Action['kind'];
  /** `cut-off`: the program closed the connection first. */
  ended: 'no' | 'answered' | 'cut-off';
  endedAt: number | null;
};

/** `isFree`: its programs run without permissions. */
type ModelOptions = { readonly now: () => number; readonly isFree?: boolean };

/** A running model service and its memory. */
export class MockModel implements AsyncDisposable {
  readonly exchanges: Exchange[] = [];
  /** Paths that no dialect knows, as they were asked for. */
  readonly strangers: string[] = [];
  readonly #server: Server;
  readonly #refusals = new Map<string, number>();
  readonly #now: () => number;
  readonly #isFree: boolean;
  #requests = 0;

  private constructor({ now, isFree = false }: ModelOptions) {
    this.#now = now;
    this.#isFree = isFree;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  /** Listens on a free port of loopback. */
  static async start(options: ModelOptions): Promise<MockModel> {
    const model = new MockModel(options);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    model.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    await promise;
    return model;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  /** Tells whether an answer is on its way just now. */
  get isAtWork(): boolean {
    return this.exchanges.some(({ ended }) => ended === 'no');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    await promise;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url);
    const body = parsed(await textOfBody(request));
    for (const dialect of DIALECTS) {
      const asked = dialect.read(pathname, body);
      if (asked === null) continue;
      this.#requests += 1;
      await this.#answer(response, dialect, { id: this.#requests, asked });
      return;
    }
    this.strangers.push(`${request.method} ${pathname}`);
    const counts = /count_?tokens/iu.test(pathname);
    response.writeHead(counts || request.method === 'HEAD' ? 200 : 404, { 'content-type': 'application/json' });
    response.end(counts ? '{"input_tokens":1200,"totalTokens":1200}' : '{}');
  }

  async #answer(
    response: ServerResponse,
    dialect: Dialect,
    { id, asked }: { id: number; asked: Asked },
  ): Promise<void> {
    const words = asked.texts.at(-1) ?? '';
    // A request without tools is the program's own, for a title or to choose a model.
    if (asked.tools.length === 0 || OWN_REQUEST.test(words))
      return send(response, dialect, { id, asked, action: say(OWN_ANSWER), now: this.#now() });
    const cue = cueOf(words);
    const refusals = this.#refusals.get(words) ?? 0;
    const action = actionFor(cue, { results: asked.results, tools: asked.tools, refusals, isFree: this.#isFree });
    if (action.kind === 'refuse') this.#refusals.set(words, refusals + 1);
    const exchange: Exchange = {
      id,
      at: this.#now(),
      asked,
      keyword: cue?.keyword ?? null,
      action: action.kind,
      ended: 'no',
      endedAt: null,
    };
    this.exchanges.push(exchange);
    response.once('close', () => {
      exchange.ended = response.writableFinished ? 'answered' : 'cut-off';
      exchange.endedAt = this.#now();
    });
    await send(response, dialect, { id, asked, action, now: this.#now() });
  }
}

/** Words with tools by which Qwen Code looks for things to remember, and for what its user may type next. */
const OWN_REQUEST = /^\s*(?:Managed memory has |Memory directory: |\[SUGGESTION MODE)/u;

/** Answer with a field for every question that the programs ask the model on their own account. */
const OWN_ANSWER = JSON.stringify({
  title: 'A task',
  isNewTopic: false,
  reasoning: 'done',
  next_speaker: 'user',
  model_choice: 'flash',
});

/**
 * Use of two limits, in the headers by which the services of Claude Code and Codex tell it: 42 % of five hours, 17 % of seven days. Claude Code passes
 * over a reset in the far future.
 */
function limits(now: number): Readonly<Record<string, string>> {
  const reset = String(Math.round(now / 1_000) + 3 * 3_600);
  return {
    'anthropic-ratelimit-unified-status': 'allowed',
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-5h-utilization': '0.42',
    'anthropic-ratelimit-unified-5h-reset': reset,
    'anthropic-ratelimit-unified-7d-utilization': '0.17',
    'anthropic-ratelimit-unified-7d-reset': reset,
    'x-codex-primary-used-percent': '42',
    'x-codex-primary-window-minutes': '300',
    'x-codex-primary-reset-at': reset,
    'x-codex-secondary-used-percent': '17',
    'x-codex-secondary-window-minutes': '10080',
    'x-codex-secondary-reset-at': reset,
  };
}

async function send(
  response: ServerResponse,
  dialect: Dialect,
  { id, asked, action, now }: { id: number; asked: Asked; action: Action; now: number },
): Promise<void> {
  if (action.kind === 'hang') return;
  if (action.kind === 'refuse') {
    response.writeHead(action.status, { 'content-type': 'application/json', ...action.headers });
    response.end(JSON.stringify(dialect.refusal(action)));
    return;
  }
  const facts = { id: String(id), model: asked.model };
  if (!asked.stream) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(dialect.whole(action, facts)));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...limits(now) });
  for (const part of dialect.frames(action, facts)) {
    if (response.destroyed) return;
    response.write(lineOf(part));
    if (part.waitMs > 0) await delay(part.waitMs);
  }
  response.end(dialect.last === null ? '' : `data: ${dialect.last}\n\n`);
}

function lineOf({ event, data }: Frame): string {
  return `${event === null ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

async function textOfBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
