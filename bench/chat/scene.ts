// A coordinator, a bot and a scripted Telegram, each of which can be killed; and workers that ask.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect, createSqlStore } from '@drover/store';
import type { Database, Store, WorkerRow } from '@drover/store';
import { startTelegramPeer } from '../../apps/chat-bot/src/testing/index.ts';
import type { Seen, TelegramScript } from '../../apps/chat-bot/src/testing/index.ts';
import { SECRET } from '../../apps/coordinator/src/testing/replica.ts';
import { open4 } from '../../apps/coordinator/tests/support/questions.ts';
import { asks, contextOf, decided, Nature, withWorkers } from '../../apps/coordinator/tests/support/scene.ts';
import { openBenchPostgres } from '../src/postgres.ts';

/** A question takes seconds, and half a minute after a kill. No load makes that so long: what takes it is stuck. */
const PATIENCE_MS = 1_200_000;
/** Milliseconds after which a wait is reported, with what is known: a run that is only slow goes on. */
const TOLD_AFTER_MS = 120_000;
const EVERY_MS = 3;
/** Directory in which the processes keep what V8 compiled: a new one has to begin with what the last one left. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/bench-compiled', import.meta.url));

/** Parts that can be killed. */
export const PARTS = ['coordinator', 'bot', 'telegram'] as const;
export type Part = (typeof PARTS)[number];

/** Everything runs; the person is linked. */
export interface ChatScene extends AsyncDisposable {
  readonly telegram: TelegramScript;
  readonly store: Store;
  readonly names: readonly string[];
  /** A worker asks. Resolves when its question is committed. `code`: of its trouble. */
  ask(name: string, code?: 'AGENT_CRASHED' | 'MACHINE_LOST'): Promise<void>;
  /** Answers at a terminal, again and again until a coordinator answers. */
  answerAtTerminal(id: string): Promise<void>;
  /** The cards of this worker's question. */
  cardsOf(name: string): readonly Seen[];
  /** Reads what is stored of this worker's question, and where it is shown: for a wait that takes long. */
  storedOf(name: string): Promise<unknown>;
  /** Ends it without a word, and starts it again. Resolves when it is up. */
  kill(part: Part): Promise<void>;
  /** Bytes of memory that a bot has said to have, at most. */
  memory(): number;
}

/** Starts all of it with so many workers. */
export async function openChatScene(workers: number): Promise<ChatScene> {
  await using stack = new AsyncDisposableStack();
  const { server } = stack.use(await openBenchPostgres());
  const url = server.superuserConnectionString;
  const telegram = stack.use(await startTelegramPeer());
  let rss = 0;
  const coordinator = new Process('coordinator-process.ts');
  stack.defer(() => coordinator.end());
  const address = await coordinator.start([url, '0']);
  const port = new URL(address).port;
  const fetched = (path: string, body: object): Promise<Response> => {
    const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' };
    return fetch(`${address}/trpc/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const post = async (path: string, body: object): Promise<number> => (await fetched(path, body)).status;
  const call = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await fetched(path, body);
    const { result } = (await answer.json()) as { result?: { data: Record<string, string> } };
    if (result === undefined) throw new Error(`${path} was answered with ${answer.status}`);
    return result.data;
  };
  const { secret } = await call('tokens.create', { name: 'bot', role: 'responder', channels: ['telegram'] });
  const bot = new Process('bot-process.ts', (bytes) => (rss = Math.max(rss, bytes)));
  stack.defer(() => bot.end());
  const botOptions = (): string[] => [
    JSON.stringify({ url: address, token: secret, holder: randomUUID(), telegram: telegram.options.telegram }),
  ];
  // The first only fills the cache of what V8 compiled, which is written at a process's own end: later ones start as a user's bot does.
  await bot.start(botOptions());
  await bot.leave();
  rss = 0;
  await bot.start(botOptions());
  const { code = '' } = await call('people.link', { name: 'ada' });
  telegram.command('link', code);
  await until('the welcome', () => telegram.seen().some(({ text }) => text.startsWith('Welcome')));
  const connection = stack.use(connect<Database>(url, { log: () => {}, maxConnections: 4 }));
  const store = createSqlStore(connection.db, { sleep, random: Math.random });
  const nature = new Nature();
  Object.defineProperty(nature, 'now', { get: () => Date.now() });
  const ctx = contextOf(store, nature);
  const names = Array.from({ length: workers }, (_, index) => `w${index}`);
  const rows = new Map<string, WorkerRow>((await withWorkers(ctx, names)).map((row) => [row.name, row]));
  const kept = stack.move();
  return {
    telegram,
    store,
    names,
    ask: async (name, code = 'AGENT_CRASHED') => {
      const incident = nature.uuid();
      const id = rows.get(name)?.id ?? '';
      await decided(ctx, id, { records: [asks(incident, code)], patch: open4(incident) });
      // Notifies the others as a replica does after each decision.
      await store.notify('drover_events', id);
    },
    answerAtTerminal: async (id) => {
      const body = { id, option: 'retry-with-changes', text: 'Go on', asked: 1, requestId: randomUUID() };
      const end = performance.now() + PATIENCE_MS;
      // A refusal is an answer too: 409 says that somebody was faster.
      while ((await post('escalations.resolve', body).catch(() => 503)) >= 500 && performance.now() < end)
        await sleep(EVERY_MS);
    },
    cardsOf: (name) => telegram.seen().filter(({ text }) => text.includes(` ${name} (`)),
    storedOf: async (name) => {
      const rows = (await store.listEscalations({ limit: 10_000 })).filter(({ workerName }) => workerName === name);
      return Promise.all(
        rows.map(async ({ id, status, asked, version, oncall }) => {
          const deliveries = await store.listDeliveries(id);
          return { id, status, asked, version, step: oncall?.step, nextStepAt: oncall?.nextStepAt, deliveries };
        }),
      );
    },
    kill: async (part) => {
      if (part === 'coordinator') await coordinator.restart([url, port]);
      else if (part === 'bot') await bot.restart(botOptions());
      else {
        telegram.goAway(true);
        await sleep(300);
        telegram.goAway(false);
      }
    },
    memory: () => rss,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Waits for a condition. `known` says what is known when it takes long. @throws when it does not come. */
export async function until(
  what: string,
  isSo: () => boolean,
  known: () => Promise<unknown> = () => Promise.resolve({}),
): Promise<void> {
  const begun = performance.now();
  let isTold = false;
  while (!isSo()) {
    const waited = performance.now() - begun;
    if (!isTold && waited > TOLD_AFTER_MS) {
      isTold = true;
      console.error(`Waits for ${what} since ${TOLD_AFTER_MS} ms: ${JSON.stringify(await known())}`);
    }
    if (waited > PATIENCE_MS)
      throw new Error(`Waited ${PATIENCE_MS} ms in vain for ${what}: ${JSON.stringify(await known())}`);
    await sleep(EVERY_MS);
  }
}

/** A program of this folder that runs, and is killed and started again. */
class Process {
  readonly #file: string;
  readonly #rss: (bytes: number) => void;
  #child: ChildProcess | null = null;

  constructor(file: string, rss: (bytes: number) => void = () => {}) {
    this.#file = fileURLToPath(new URL(file, import.meta.url));
    this.#rss = rss;
  }

  /** @returns what it said when it was up. */
  async start(args: readonly string[]): Promise<string> {
    // Starts the bot as `bin/drover` does: a process that strips types by itself takes 25 MB more, which no user has.
    const env = { ...process.env, NODE_COMPILE_CACHE: COMPILED };
    const child = spawn(process.execPath, ['--max-semi-space-size=4', this.#file, ...args], {
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    child.on('message', (said: { readonly up?: string; readonly rss?: number }) => {
      if (said.up !== undefined) resolve(said.up);
      if (said.rss !== undefined) this.#rss(said.rss);
    });
    child.once('exit', (code) => reject(new Error(`${this.#file} ended with ${String(code)} before it was up`)));
    return promise;
  }

  async restart(args: readonly string[]): Promise<void> {
    await this.end();
    await this.start(args);
  }

  /** Disconnects the process, which then ends by itself. */
  async leave(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    const gone = once(child, 'exit');
    child.disconnect();
    await gone;
  }

  async end(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}
