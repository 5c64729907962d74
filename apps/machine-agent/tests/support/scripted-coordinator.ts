/** Coordinator of tests: real HTTP and WebSocket, the real protocol, and commands as a test gives them. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Command, CommandResult } from '@drover/core';
import {
  helloRequest,
  syncRequest,
  type Observation,
  type ObservationBody,
  type Query,
  type WorkerSettings,
  type SyncAnswer,
  type SyncRequest,
  type CommandEnvelope,
} from '@drover/protocol';
import { WebSocketServer, type WebSocket } from 'ws';
import { unknownOutcomes } from './another-journal.ts';
import { HeldPolls } from './held-polls.ts';
import { NOTHING_NEW, refused, ScriptedGate } from './scripted-gate.ts';
import { ScriptedParcels } from './scripted-parcels.ts';
import { until } from './until.ts';

type CommandChange = Partial<CommandEnvelope> & { seq?: number };
type Body<K extends ObservationBody['kind']> = Extract<ObservationBody, { kind: K }>;

export class ScriptedCoordinator implements AsyncDisposable {
  /** Identity of the coordinator, and its admission of machines. */
  readonly gate = new ScriptedGate();
  /** Actions of machines, in order: for tests of sequences. */
  readonly asked: string[] = [];
  /** Every observation that was stored, in order, each once. */
  readonly stored: Observation[] = [];
  /** Numbers that came again after they were stored. */
  readonly repeated: number[] = [];
  readonly acked = new Set<string>();
  hellos = 0;
  lost = 0;
  joins = 0;
  polls = 0;
  epoch = 0;
  /** Milliseconds for which an access token is valid. */
  tokenMs = 900_000;
  /** Settings that a hello names, as they go over the wire. */
  workers: readonly unknown[] = [];
  /** Faults of the coordinator, if a test wants them; `newKey`: the answers that know it are lost. */
  broken: { sockets?: boolean; acks?: boolean; version?: boolean; newKey?: boolean } = {};
  /** Parcels, which two coordinators may share. */
  parcels = new ScriptedParcels();
  readonly #commands: CommandEnvelope[] = [];
  readonly #seqs = new Map<string, number>();
  readonly #sockets = new Set<WebSocket>();
  readonly #held = new HeldPolls();
  readonly #server: Server;
  readonly #web = new WebSocketServer({ noServer: true });
  #accessToken = '';
  #agentEpoch = '';
  /** Position in `stored` of the first report of its present journal. */
  #journalFrom = 0;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.on('upgrade', (request, socket, head) => {
      const isKnown = request.headers.authorization === `Bearer ${this.#accessToken}`;
      if (this.broken.sockets === true || !isKnown) {
        socket.end(`HTTP/1.1 ${this.broken.sockets === true ? '502 Bad Gateway' : '401 Unauthorized'}\r\n\r\n`);
        return;
      }
      this.#web.handleUpgrade(request, socket, head, (line) => this.#connected(line));
    });
  }

  static async start(): Promise<ScriptedCoordinator> {
    const coordinator = new ScriptedCoordinator();
    await new Promise<void>((resolve) => coordinator.#server.listen(0, '127.0.0.1', resolve));
    return coordinator;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  get token(): string {
    return this.gate.token;
  }

  get isConnected(): boolean {
    return this.#sockets.size > 0;
  }

  get agentEpoch(): string {
    return this.#agentEpoch;
  }

  /** Sends a command. @returns its number. */
  command(worker: WorkerSettings, command: Command, change: CommandChange = {}): { id: string; seq: number } {
    const seq = change.seq ?? (this.#seqs.get(worker.workerId) ?? 0) + 1;
    this.#seqs.set(worker.workerId, Math.max(seq, this.#seqs.get(worker.workerId) ?? 0));
    const { seq: _seq, ...rest } = change;
    const id = rest.id ?? randomUUID();
    const body = { kind: 'command', seq, command } as const;
    this.#commands.push({ id, epoch: this.epoch, timeoutMs: 60_000, settings: worker, body, ...rest });
    this.#push();
    return { id, seq };
  }

  /** Gives a command and waits for its result. */
  async carriedOut(worker: WorkerSettings, command: Command): Promise<CommandResult> {
    return this.result(this.command(worker, command).id);
  }

  result(commandId: string): Promise<CommandResult> {
    return until(`the result of ${commandId}`, () => this.resultsOf(commandId)[0]);
  }

  resultsOf(commandId: string): CommandResult[] {
    return this.bodies('result').flatMap((body) => (body.commandId === commandId ? [body.result] : []));
  }

  async ask(worker: WorkerSettings, query: Query): Promise<Body<'answer'>['result']> {
    const id = randomUUID();
    this.#commands.push({ id, epoch: this.epoch, timeoutMs: 20_000, settings: worker, body: { kind: 'query', query } });
    this.#push();
    return until('the answer', () => this.bodies('answer').find(({ commandId }) => commandId === id)?.result);
  }

  bodies<K extends ObservationBody['kind']>(kind: K): Body<K>[] {
    return this.stored.flatMap(({ body }) => (body.kind === kind ? [body as Body<K>] : []));
  }

  /** Waits until a screen after the first `from` observations shows a state. */
  screen(kind: string, from = 0): Promise<Body<'screen'>> {
    return until(`a screen that shows "${kind}"`, () =>
      this.stored
        .slice(from)
        .flatMap(({ body }) => (body.kind === 'screen' && body.reading.state.kind === kind ? [body] : []))
        .at(-1),
    );
  }

  /** Sends a command again, unchanged, with all others that the machine has not acknowledged. */
  sendAgain(id: string): void {
    this.acked.delete(id);
    this.#push();
  }

  /** Breaks every connection without a word. */
  cut(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  /** Says that the machine was revoked, on every connection and at each hello from now on. */
  revoke(): void {
    this.gate.refusal = 'machine-revoked';
    const last = { ...this.#answer(0, []), registered: false, reason: 'revoked' };
    for (const socket of this.#sockets) {
      socket.send(JSON.stringify(last));
      socket.close(4003);
    }
  }

  /** Keeps every connection open and reads nothing from it any more. */
  deafen(): void {
    for (const socket of this.#sockets) socket.pause();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #connected(socket: WebSocket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('message', (data) => {
      const ackThrough = this.#take(syncRequest.parse(JSON.parse(data.toString())));
      socket.send(JSON.stringify(this.#answer(ackThrough, this.#due())));
    });
    if (this.#due().length > 0) socket.send(JSON.stringify(this.#answer(0, this.#due())));
  }

  #push(): void {
    for (const socket of this.#sockets) socket.send(JSON.stringify(this.#answer(0, this.#due())));
    this.#held.wake();
  }

  #due(): CommandEnvelope[] {
    return this.#commands.filter(({ id }) => !this.acked.has(id));
  }

  #take({ acks, observations, agentEpoch }: SyncRequest): number {
    this.#agentEpoch = agentEpoch;
    for (const id of acks) this.acked.add(id);
    if (this.broken.acks === true) return 0;
    for (const observation of observations) {
      if ('unread' in observation)
        throw new Error(`The agent says what no coordinator of its build can read: ${observation.unread}`);
      if (this.stored.slice(this.#journalFrom).some(({ seq }) => seq === observation.seq))
        this.repeated.push(observation.seq);
      else this.stored.push(observation);
    }
    return observations.at(-1)?.seq ?? 0;
  }

  #concludeSent(): void {
    const open = this.#commands.filter(({ id }) => this.resultsOf(id).length === 0);
    for (const { id } of open) this.acked.add(id);
    this.stored.push(...unknownOutcomes(open));
    this.#journalFrom = this.stored.length;
  }

  #answer(ackThrough: number, commands: CommandEnvelope[]): SyncAnswer {
    return {
      ackThrough,
      commands,
      profiles: null,
      nextIntervalMs: 500,
      registered: true,
      reason: null,
      epoch: this.epoch,
      serverTime: 0,
      serverVersion: '2.0',
      minVersion: '2.0',
    };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if ((request.url ?? '').startsWith('/agent/parcels/')) {
      this.parcels.serve(request, response, Buffer.concat(chunks));
      return;
    }
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString() || 'null');
    const url = new URL(request.url ?? '/', 'http://test');
    const { status, answer } = await this.#route(url, body, { request, response });
    if (url.pathname === '/agent/hello' && this.broken.newKey === true && this.gate.rotations > 0) {
      this.lost += 1;
      response.destroy();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  async #route(
    url: URL,
    body: unknown,
    { request, response }: { request: IncomingMessage; response: ServerResponse },
  ): Promise<{ status: number; answer: unknown }> {
    this.asked.push(url.pathname);
    switch (url.pathname) {
      case '/agent/join':
        return this.#join(body);
      case '/agent/challenge':
        return this.gate.challenge(body);
      case '/agent/hello':
        return this.#hello(body);
      case '/agent/sync': {
        if (request.headers.authorization !== `Bearer ${this.#accessToken}`) return refused(401, 'bad-token');
        this.polls += 1;
        const ackThrough = this.#take(syncRequest.parse(body));
        if (this.#due().length === 0) await this.#held.hold(Number(url.searchParams.get('wait')), response);
        return { status: 200, answer: this.#answer(ackThrough, this.#due()) };
      }
      default:
        return refused(404, 'no-such-route');
    }
  }

  #join(body: unknown): { status: number; answer: unknown } {
    const answered = this.gate.join(body);
    if (answered.status === 200) this.joins += 1;
    return answered;
  }

  #hello(body: unknown): { status: number; answer: unknown } {
    if (this.broken.version === true) return refused(426, 'version');
    const refusal = this.gate.hello(body, this.url);
    if (refusal !== null) return refusal;
    const { agentEpoch } = helloRequest.parse(body);
    if (this.#agentEpoch !== '' && this.#agentEpoch !== agentEpoch) this.#concludeSent();
    this.#agentEpoch = agentEpoch;
    this.hellos += 1;
    this.epoch += 1;
    this.#accessToken = `access-${randomUUID()}`;
    for (const body of this.#commands) Object.assign(body, { epoch: this.epoch });
    const told = { publicKey: this.gate.machineKey, rotate: this.gate.rotate, workers: this.workers, ...NOTHING_NEW };
    const token = { accessToken: this.#accessToken, expiresAt: this.tokenMs, epoch: this.epoch, serverTime: 0 };
    return { status: 200, answer: { ...token, ...told } };
  }
}
