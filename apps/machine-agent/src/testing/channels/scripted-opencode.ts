/** Plays the server of OpenCode 1.18 on a port of loopback: it chooses the ids of messages itself, and takes the same text again. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createConnection, type AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { OpenCodeChannel } from '../../channels/opencode/opencode.ts';
import type { Channel } from '../../channels/channel.ts';
import { fastClock } from './fast-clock.ts';
import type { Fate, ScriptedPeer, ScriptedRequest } from './peer.ts';

const CWD = '/w/worker';
const LOGIN = { user: 'opencode', password: 'secret' };
/** Start of its life. */
const OPENED_AT = 1_000_000;
const ANSWERS = [
  { label: /^Allow once$/u, decision: 'once' },
  { label: /^Reject$/u, decision: 'reject' },
];

export class ScriptedOpenCode implements ScriptedPeer {
  readonly #texts: string[] = [];
  /** Texts from the last one back for which no turn begins. */
  #unbegun = 0;
  #isAsleep = false;
  readonly #fates: Fate[] = [];
  readonly #decisions: string[] = [];
  readonly #requests = new Map<string, string>();
  readonly #times: number;
  readonly #sessions: object[] = [
    session('ses_old', 0),
    session('ses_one', 1),
    { ...session('ses_sub', 1), parentID: 'ses_one' },
  ];
  #server: Server | undefined;
  #port = 0;
  #isBusy = false;
  readonly #late: (() => void)[] = [];
  #garbage: string | undefined;
  #served = 0;

  private constructor(times: number) {
    this.#times = times;
  }

  /** @param times How much faster than real its clients' clocks are. */
  static async start(times: number): Promise<ScriptedOpenCode> {
    const peer = new ScriptedOpenCode(times);
    await peer.away(false);
    return peer;
  }

  channel(password = LOGIN.password): Channel {
    return new OpenCodeChannel({
      connect: async () => {
        const socket = createConnection(this.#port, '127.0.0.1');
        await once(socket, 'connect');
        return socket.on('error', () => {});
      },
      login: { ...LOGIN, password },
      cwd: CWD,
      openedAt: OPENED_AT,
      answers: ANSWERS,
      clock: fastClock(this.#times),
    });
  }

  taken(): readonly string[] {
    return this.#texts;
  }

  fates(...fates: readonly Fate[]): void {
    this.#fates.push(...fates);
  }

  type(text: string): void {
    this.#texts.push(text);
  }

  /** The next text is kept, and no turn begins with it until another comes. */
  sleep(): void {
    this.#isAsleep = true;
  }

  settle(): void {
    for (const take of this.#late.splice(0)) take();
  }

  begin(): void {
    this.#isBusy = true;
  }

  end(): void {
    this.#isBusy = false;
  }

  asks({ command }: ScriptedRequest): void {
    this.#requests.set(`per_${this.#requests.size + this.#decisions.length}`, command);
  }

  decisions(): readonly string[] {
    return this.#decisions;
  }

  async away(isAway: boolean): Promise<void> {
    const server = this.#server;
    if (isAway) {
      this.#server = undefined;
      server?.closeAllConnections();
      await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
      return;
    }
    if (server !== undefined) return;
    const fresh = createServer(
      (request, response) => void this.#serve(request, response).catch(() => response.destroy()),
    );
    await new Promise<void>((resolve) => void fresh.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (fresh.address() as AddressInfo).port;
    this.#server = fresh;
  }

  another(): void {
    this.#sessions.push(session('ses_two', 2));
  }

  garbage(answer: string): void {
    this.#garbage = answer;
  }

  /** Messages that its clients have read. */
  served(): number {
    return this.#served;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.away(true);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const isKnown =
      request.headers.authorization === `Basic ${Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString('base64')}`;
    if (!isKnown) return void response.writeHead(401).end();
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (path.endsWith('/prompt_async'))
      return this.#prompt(response, JSON.parse(body) as { parts: [{ text: string }] });
    const garbage = this.#garbage;
    this.#garbage = undefined;
    response.end(garbage ?? JSON.stringify(this.#answer(path, body, Number(searchParams.get('limit')))));
  }

  #prompt(response: ServerResponse, { parts: [{ text }] }: { parts: [{ text: string }] }): void {
    const fate = this.#fates.shift() ?? 'answer';
    if (fate === 'refuse') return void response.writeHead(400).end();
    if (fate === 'die-before') return void response.destroy();
    if (fate === 'slow') return void this.#late.push(() => this.#texts.push(text));
    this.#texts.push(text);
    this.#unbegun = this.#isAsleep ? 1 : 0;
    this.#isAsleep = false;
    if (fate === 'die-after') return void response.destroy();
    if (fate === 'lie') return void response.writeHead(500).end();
    if (fate === 'answer') response.writeHead(204).end();
  }

  #newest(limit: number): readonly object[] {
    const begun = this.#texts.length - this.#unbegun;
    const newest = this.#texts
      .flatMap((text, at) => [
        { info: { id: `msg_${at}`, role: 'user' }, parts: [{ type: 'text', text }] },
        ...(at < begun ? [{ info: { id: `msg_${at}a`, role: 'assistant' }, parts: [] }] : []),
      ])
      .slice(-limit);
    this.#served += newest.length;
    return newest;
  }

  #answer(path: string, body: string, limit: number): unknown {
    switch (path) {
      case '/session':
        return this.#sessions;
      case '/session/status':
        return this.#isBusy ? { ses_one: { type: 'busy' } } : {};
      case '/session/ses_one/message':
        return this.#newest(limit);
      case '/session/ses_one/abort':
        this.end();
        return true;
      case '/permission':
        return [...this.#requests].map(([id, command]) => ({
          id,
          sessionID: 'ses_one',
          patterns: [command],
          metadata: { command },
        }));
      default: {
        const [, id = ''] = /^\/permission\/(per_\d+)\/reply$/u.exec(path) ?? [];
        if (this.#requests.delete(id)) this.#decisions.push((JSON.parse(body) as { reply: string }).reply);
        return true;
      }
    }
  }
}

function session(id: string, at: number): object {
  return { id, directory: CWD, time: { updated: at === 0 ? 1 : OPENED_AT + at } };
}
