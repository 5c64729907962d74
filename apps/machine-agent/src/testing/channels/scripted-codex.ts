/** Plays the app-server of Codex 0.169 on a Unix socket, with its traps: the id of a message is no key, and a conversation without a text has no page. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, type Server } from 'node:net';
import { createServer as createHttp } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocketServer, type WebSocket } from 'ws';
import { CodexChannel } from '../../channels/codex/codex.ts';
import type { Channel } from '../../channels/channel.ts';
import type { Fate, ScriptedPeer, ScriptedRequest } from './peer.ts';
import { fastClock } from './fast-clock.ts';

interface Asked {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: { readonly decision?: string };
}

interface Item {
  readonly type: 'userMessage';
  readonly clientId: string | null;
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
}

const CWD = '/w/worker';
/** Patterns of the built-in profile, in its own order. */
const ANSWERS = [
  { label: /^Yes, proceed/u, decision: 'accept' },
  { label: /^No, and tell Codex/u, decision: 'cancel' },
];

export class ScriptedCodex implements ScriptedPeer {
  readonly #directory: string;
  readonly #clients = new Set<WebSocket>();
  readonly #items: Item[] = [];
  readonly #fates: Fate[] = [];
  readonly #decisions: string[] = [];
  readonly #requests = new Set<number>();
  readonly #threads = ['thread-1'];
  /** Threads of its own, one for each turn. */
  readonly #own = ['title'];
  readonly #asked: string[] = [];
  /** Clients that follow the conversation. */
  readonly #followers = new Set<WebSocket>();
  readonly #times: number;
  #http: Server | undefined;
  #isBusy = false;
  readonly #late: (() => void)[] = [];
  #nextRequest = 0;
  /** Number of the server's process. */
  #process = 1;
  #garbage: string | undefined;
  #runsOn: string | null = null;
  /** Clients that asked for what is not settled yet. */
  readonly #experimental = new Set<WebSocket>();

  private constructor(directory: string, times: number) {
    this.#directory = directory;
    this.#times = times;
  }

  /** @param times How much faster than real its clients' clocks are. */
  static async start(times: number): Promise<ScriptedCodex> {
    const peer = new ScriptedCodex(await mkdtemp('/tmp/dcx-'), times);
    await peer.away(false);
    return peer;
  }

  channel(): Channel {
    return new CodexChannel({
      connect: async () => {
        const socket = createConnection(join(this.#directory, 's'));
        await once(socket, 'connect');
        return socket.on('error', () => {});
      },
      server: () => Promise.resolve(String(this.#process)),
      cwd: CWD,
      answers: ANSWERS,
      clock: fastClock(this.#times),
      onNews: () => {},
    });
  }

  taken(): readonly string[] {
    return this.#items.map(({ content }) => content.map(({ text }) => text).join(''));
  }

  fates(...fates: readonly Fate[]): void {
    this.#fates.push(...fates);
  }

  type(text: string): void {
    this.#take(null, text);
  }

  settle(): void {
    for (const take of this.#late.splice(0)) take();
  }

  begin(): void {
    this.#isBusy = true;
    this.#tellStatus();
  }

  end(): void {
    this.#isBusy = false;
    this.#tellStatus();
  }

  asks({ command }: ScriptedRequest): void {
    const id = this.#nextRequest;
    this.#nextRequest += 1;
    this.#requests.add(id);
    const params = { threadId: 'thread-1', command: `/bin/bash -lc '${command}'` };
    this.#broadcast({ id, method: 'item/commandExecution/requestApproval', params });
  }

  decisions(): readonly string[] {
    return this.#decisions;
  }

  async away(isAway: boolean): Promise<void> {
    const server = this.#http;
    if (isAway) {
      this.#http = undefined;
      this.#process += 1;
      for (const client of this.#clients) client.terminate();
      await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
      return;
    }
    if (server !== undefined) return;
    const http = createHttp();
    new WebSocketServer({ server: http }).on('connection', (socket) => this.#serve(socket));
    await new Promise<void>((resolve) => void http.listen(join(this.#directory, 's'), resolve));
    this.#http = http as unknown as Server;
  }

  another(): void {
    this.#threads.push('thread-2');
  }

  /** A conversation of its own begins, which stays loaded. `isTold`: its clients hear of it. */
  ownThread({ isTold }: { readonly isTold: boolean }): void {
    const id = `title-${this.#own.length}`;
    this.#own.push(id);
    if (isTold) this.#announce(id);
  }

  /** Another conversation takes the place of the one on the screen, and its clients hear of it. */
  next(): void {
    this.another();
    this.#announce('thread-2');
  }

  /** A command goes on beside the conversation, or none. */
  leaves(command: string | null): void {
    this.#runsOn = command;
  }

  /** Requests in order, each with its conversation. */
  asked(): readonly string[] {
    return this.#asked;
  }

  garbage(answer: string): void {
    this.#garbage = answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.away(true);
    await rm(this.#directory, { recursive: true, force: true });
  }

  #serve(socket: WebSocket): void {
    this.#clients.add(socket);
    socket.on('close', () => this.#clients.delete(socket) && this.#followers.delete(socket));
    socket.on('error', () => {});
    socket.on('message', (data) => this.#hear(socket, JSON.parse(String(data)) as Asked));
  }

  #hear(socket: WebSocket, { id, method, params = {}, result }: Asked): void {
    if (method === undefined) return this.#decided(Number(id), result?.decision ?? '');
    if (id === undefined) return;
    const answer = (words: object): void => {
      const text = this.#garbage ?? JSON.stringify({ id, ...words });
      if (method !== 'initialize') this.#garbage = undefined;
      socket.send(method === 'initialize' ? JSON.stringify({ id, ...words }) : text);
    };
    const refuse = (message: string): void => answer({ error: { code: -32_600, message } });
    this.#asked.push(`${method} ${String(params['threadId'] ?? '')}`);
    switch (method) {
      case 'initialize':
        if (JSON.stringify(params).includes('"experimentalApi":true')) this.#experimental.add(socket);
        return answer({ result: { userAgent: 'codex' } });
      case 'thread/loaded/list':
        return answer({ result: { data: [...this.#threads, ...this.#own], nextCursor: null } });
      case 'thread/read':
        return answer({ result: { thread: this.#thread(String(params['threadId'])) } });
      case 'thread/resume':
        if (this.#items.length === 0) return refuse('no rollout found for thread id thread-1');
        this.#followers.add(socket);
        return answer({ result: {} });
      case 'thread/items/list':
        return this.#items.length === 0 ? refuse('thread not found: thread-1') : answer({ result: this.#page(params) });
      case 'thread/turns/list':
        return answer({ result: { data: [{ id: 'turn', status: this.#isBusy ? 'inProgress' : 'completed' }] } });
      case 'thread/backgroundTerminals/list':
        if (!this.#experimental.has(socket)) return refuse(`${method} requires experimentalApi capability`);
        return answer({ result: { data: this.#runsOn === null ? [] : [{ command: this.#runsOn }], nextCursor: null } });
      case 'turn/interrupt':
        this.end();
        return answer({ result: {} });
      case 'turn/start':
        return this.#startTurn(socket, params, { answer, refuse });
      default:
        return refuse(`unknown method ${method}`);
    }
  }

  #startTurn(
    socket: WebSocket,
    { clientUserMessageId, input }: Record<string, unknown>,
    { answer, refuse }: { answer: (words: object) => void; refuse: (message: string) => void },
  ): void {
    const [{ text }] = input as [{ text: string }];
    const fate = this.#fates.shift() ?? 'answer';
    if (fate === 'refuse') return refuse('Server overloaded; retry later.');
    if (fate === 'die-before' || fate === 'die-after') this.#process += 1;
    if (fate === 'die-before') return socket.terminate();
    if (fate === 'slow') return void this.#late.push(() => this.#take(String(clientUserMessageId), text));
    this.#take(String(clientUserMessageId), text);
    if (fate === 'die-after') return socket.terminate();
    if (fate === 'lie') return refuse('nothing was taken');
    if (fate === 'answer') answer({ result: { turn: { id: 'turn' } } });
  }

  #take(clientId: string | null, text: string): void {
    const item: Item = { type: 'userMessage', clientId, content: [{ type: 'text', text }] };
    this.#items.push(item);
    const words = JSON.stringify({ method: 'item/started', params: { threadId: 'thread-1', item } });
    for (const follower of this.#followers) follower.send(words);
  }

  #page({ limit, cursor }: Record<string, unknown>): object {
    const from = Number(cursor ?? 0);
    const data = this.#items.toReversed().slice(from, from + Number(limit));
    const next = from + data.length;
    return {
      data: data.map((item) => ({ turnId: 'turn', item })),
      nextCursor: next < this.#items.length ? String(next) : null,
    };
  }

  #thread(id: string): object {
    const status = this.#isBusy ? { type: 'active', activeFlags: [] } : { type: 'idle' };
    return { id, cwd: CWD, ephemeral: this.#own.includes(id), parentThreadId: null, status };
  }

  #decided(id: number, decision: string): void {
    if (!this.#requests.delete(id)) return;
    this.#decisions.push(decision);
    this.#broadcast({ method: 'serverRequest/resolved', params: { threadId: 'thread-1', requestId: id } });
  }

  #tellStatus(): void {
    const status = this.#isBusy ? { type: 'active', activeFlags: [] } : { type: 'idle' };
    this.#broadcast({ method: 'thread/status/changed', params: { threadId: 'thread-1', status } });
  }

  #announce(id: string): void {
    this.#broadcast({ method: 'thread/started', params: { thread: this.#thread(id) } });
  }

  #broadcast(words: object): void {
    for (const client of this.#clients) client.send(JSON.stringify(words));
  }
}
