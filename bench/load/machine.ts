// Plays one machine of the load: it says hello, keeps a WebSocket, tells what its workers do, and answers its commands, as the agent does.
import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { helloMessage, PROTOCOL_VERSION } from '@drover/protocol';
import type { ChallengeAnswer, CommandEnvelope, HelloAnswer, ObservationBody, SyncAnswer } from '@drover/protocol';
import { WebSocket } from 'ws';
import { backoffMs } from '../../apps/machine-agent/src/sync/backoff.ts';
import { BUSY, READY } from '../../packages/core/src/testing/story.ts';
import type { LoadMachine, LoadWorker } from './scene.ts';

/** Milliseconds between pings, and for how long news are collected, as the agent's. */
const PING_MS = 3_000;
const COLLECT_MS = 10;
/** Milliseconds between two readings of a machine's condition. */
const CONDITION_EVERY_MS = 60_000;

/** Parts that all machines of a process share. */
export interface Load {
  /** Address of the coordinator. */
  readonly url: string;
  /** Milliseconds between two reports of a worker at work. */
  readonly progressMs: number;
  readonly agent: Agent;
  /** Milliseconds from what was said to its acknowledgement. */
  readonly latencies: number[];
  readonly trouble: string[];
  readonly counts: {
    connected: number;
    lost: number;
    toldToWait: number;
    acknowledged: number;
    syncs: number;
    observations: number;
    commands: number;
  };
  /** Tells whether workers at work report. */
  isActive: boolean;
}

/** Runs until its process ends. */
export class Machine {
  readonly #load: Load;
  readonly #given: LoadMachine;
  readonly #url: string;
  readonly #agentEpoch = randomUUID();
  readonly #waiting: { seq: number; at: number; body: ObservationBody }[] = [];
  readonly #acks: string[] = [];
  #seq = 0;
  #sent: { through: number; at: number }[] = [];
  #socket: WebSocket | null = null;
  #isCollecting = false;
  #intervalMs = 5_000;
  #failures = 0;
  #conditionAt = 0;
  /** Time at which it was connected first, or again; null: it is not. */
  connectedAt: number | null = null;

  constructor(load: Load, given: LoadMachine) {
    this.#load = load;
    this.#given = given;
    this.#url = load.url;
  }

  /** @param withinMs The first hello comes at a random moment within. */
  start(withinMs: number): void {
    setTimeout(() => void this.#connect(), Math.random() * withinMs);
    for (const worker of this.#given.workers) if (worker.isAtWork) this.#reportLater(worker, Math.random());
  }

  #reportLater(worker: LoadWorker, share: number): void {
    setTimeout(() => {
      if (this.#load.isActive && this.#socket !== null) this.#tell(screenOf(worker));
      this.#reportLater(worker, 1);
    }, this.#load.progressMs * share);
  }

  async #connect(): Promise<void> {
    try {
      const hello = await this.#hello();
      await this.#open(hello);
      this.#failures = 0;
    } catch (error) {
      if (!(error instanceof TurnLater)) return this.#again(error);
      this.#load.counts.toldToWait += 1;
      setTimeout(() => void this.#connect(), error.afterMs);
    }
  }

  #again(error: unknown): void {
    if (this.connectedAt !== null) {
      this.#load.counts.connected -= 1;
      this.#load.counts.lost += 1;
    }
    this.connectedAt = null;
    this.#socket = null;
    this.#failures += 1;
    if (this.#load.trouble.length < 1_000) this.#load.trouble.push(String(error));
    setTimeout(() => void this.#connect(), backoffMs(this.#failures, Math.random()));
  }

  async #hello(): Promise<HelloAnswer> {
    const { id: machineId, key } = this.#given;
    const url = this.#url;
    const { nonce, coordinator } = await this.#post<ChallengeAnswer>('/agent/challenge', {
      proto: PROTOCOL_VERSION,
      machineId,
      url,
      salt: randomUUID(),
    });
    const agentEpoch = this.#agentEpoch;
    const message = helloMessage({ machineId, nonce, agentEpoch, coordinator, url, next: null });
    return this.#post<HelloAnswer>('/agent/hello', {
      machineId,
      nonce,
      coordinator,
      url,
      signature: sign(null, Buffer.from(message), createPrivateKey(key)).toString('base64'),
      next: null,
      agentEpoch,
      proto: PROTOCOL_VERSION,
      version: 'bench',
      facts: { hostname: 'h', platform: 'linux', tmux: '3.5', git: '2.47', node: '24', zone: 'UTC' },
      places: { workspace: '/w', roots: {} },
    });
  }

  #post<T>(path: string, body: unknown): Promise<T> {
    const { agent } = this.#load;
    const url = this.#url;
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const asked = httpRequest(`${url}${path}`, { method: 'POST', agent, headers, timeout: 10_000 }, (answer) => {
        readJson(answer).then((said) => {
          if (answer.statusCode === 200) return resolve(said as T);
          const turnMs = (said as { retryAfterMs?: number }).retryAfterMs;
          if (turnMs !== undefined) return reject(new TurnLater(turnMs));
          return reject(new Error(`${path}: ${answer.statusCode} ${JSON.stringify(said)}`));
        }, reject);
      });
      asked.on('timeout', () => asked.destroy(new Error(`${path}: no answer in 10 s`)));
      asked.on('error', reject);
      asked.end(JSON.stringify(body));
    });
  }

  async #open({ accessToken }: HelloAnswer): Promise<void> {
    const socket = new WebSocket(`${this.#url.replace(/^http/u, 'ws')}/agent/ws`, {
      headers: { authorization: `Bearer ${accessToken}` },
      perMessageDeflate: false,
      handshakeTimeout: 10_000,
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    this.#socket = socket;
    this.#sent = [];
    let timer: NodeJS.Timeout;
    const beat = setInterval(() => socket.ping(), PING_MS);
    const alive = (): void => {
      this.#say();
      timer = setTimeout(alive, this.#intervalMs);
    };
    timer = setTimeout(alive, this.#intervalMs);
    socket.on('message', (data) => this.#heard(JSON.parse(String(data)) as SyncAnswer));
    socket.on('error', () => {});
    socket.on('close', (code) => {
      clearInterval(beat);
      clearTimeout(timer);
      this.#again(new Error(`closed with ${code}`));
    });
    this.#say();
  }

  #tell(body: ObservationBody): void {
    // Drops older screens as the agent does: of screens that were not sent only the newest of each worker counts.
    if (body.kind === 'screen') {
      const through = this.#sent.at(-1)?.through ?? 0;
      const older = this.#waiting.findIndex(
        (one) => one.seq > through && one.body.kind === 'screen' && one.body.workerId === body.workerId,
      );
      if (older !== -1) this.#waiting.splice(older, 1);
    }
    this.#seq += 1;
    this.#waiting.push({ seq: this.#seq, at: Date.now(), body });
    this.#load.counts.observations += 1;
    this.#soon();
  }

  #soon(): void {
    if (this.#isCollecting) return;
    this.#isCollecting = true;
    setTimeout(() => {
      this.#isCollecting = false;
      this.#say();
    }, COLLECT_MS);
  }

  #say(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const through = this.#sent.at(-1)?.through ?? 0;
    const observations = this.#waiting.filter(({ seq }) => seq > through);
    const acks = this.#acks.splice(0);
    const last = observations.at(-1);
    if (last !== undefined) this.#sent.push({ through: last.seq, at: performance.now() });
    this.#load.counts.syncs += 1;
    const message = { agentEpoch: this.#agentEpoch, profilesRevision: 0, acks, observations, ...this.#condition() };
    this.#socket.send(JSON.stringify(message));
  }

  #condition(): object {
    if (Date.now() - this.#conditionAt < CONDITION_EVERY_MS) return {};
    this.#conditionAt = Date.now();
    const space = { bytes: 64e9, freeBytes: 32e9 };
    const programs = [{ of: 'tool', name: 'git', state: 'present', version: '2.47' }];
    return { condition: { sentAt: Date.now(), programs, processors: 8, load: 1, memory: space, disk: space } };
  }

  #heard(answer: SyncAnswer): void {
    if (!answer.registered) return;
    if (this.connectedAt === null) {
      this.connectedAt = performance.now();
      this.#load.counts.connected += 1;
    }
    this.#intervalMs = answer.nextIntervalMs;
    if (answer.ackThrough > 0) {
      const now = performance.now();
      for (const { through, at } of this.#sent) if (through <= answer.ackThrough) this.#load.latencies.push(now - at);
      this.#sent = this.#sent.filter(({ through }) => through > answer.ackThrough);
      while ((this.#waiting[0]?.seq ?? Infinity) <= answer.ackThrough) {
        this.#waiting.shift();
        this.#load.counts.acknowledged += 1;
      }
    }
    for (const command of answer.commands) if (!('unread' in command)) this.#carryOut(command);
  }

  #carryOut(command: CommandEnvelope): void {
    this.#load.counts.commands += 1;
    this.#acks.push(command.id);
    const { body, settings } = command;
    if (body.kind === 'query') return;
    const worker = this.#given.workers.find(({ id }) => id === settings.workerId);
    if (worker === undefined) throw new Error(`A command for the worker ${settings.workerId} of another machine`);
    const result = resultOf(body.command, worker);
    this.#tell({ kind: 'result', workerId: worker.id, commandId: command.id, seq: body.seq, result });
  }
}

/** The coordinator keeps a turn for it. */
class TurnLater extends Error {
  readonly afterMs: number;

  constructor(afterMs: number) {
    super(`its turn is in ${afterMs} ms`);
    this.afterMs = afterMs;
  }
}

type Given = Extract<CommandEnvelope['body'], { kind: 'command' }>['command'];
type Result = Extract<ObservationBody, { kind: 'result' }>['result'];

function screenOf(worker: LoadWorker): ObservationBody {
  return { kind: 'screen', workerId: worker.id, incarnation: worker.incarnation, reading: readingOf(worker) };
}

function readingOf({ isAtWork }: LoadWorker): Extract<ObservationBody, { kind: 'screen' }>['reading'] {
  const state = isAtWork ? BUSY : READY;
  const progress = isAtWork ? randomUUID() : 'none';
  return { at: Date.now(), state, fingerprint: state.kind, progress, rule: 'spinner' };
}

function resultOf(command: Given, worker: LoadWorker): Result {
  const git = { head: 'aaaa', ahead: 0, dirty: 3, subject: 'base', rebasing: false, unmerged: 0 };
  if (command.kind === 'observe')
    return { kind: 'observed', incarnation: worker.incarnation, screen: readingOf(worker), git, delivery: null };
  if (command.kind === 'checkpoint') return { kind: 'checkpointed', commit: randomUUID(), head: 'aaaa', dirty: 3 };
  return { kind: 'failed', code: 'bench', message: `The load has no answer to "${command.kind}"`, retry: false };
}
