/** A machine agent for tests: speaks the real protocol and answers commands by a script. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import {
  challengeAnswer,
  helloAnswer,
  helloMessage,
  joinAnswer,
  PROTOCOL_VERSION,
  readInvitation,
  syncAnswer,
} from '@drover/protocol';
import type {
  ChallengeAnswer,
  HelloAnswer,
  Observation,
  ObservationBody,
  SyncAnswer,
  CommandEnvelope,
} from '@drover/protocol';
import { WebSocket } from 'ws';

/** Differences of a hello: the signing key, the address, a next key, an earlier challenge. */
export interface HelloChange {
  readonly key?: KeyObject;
  readonly url?: string;
  readonly next?: KeyPair | null;
  readonly given?: ChallengeAnswer;
}

/** Close code of the coordinator for a connection whose access token has expired. */
const ACCESS_OVER = 4005;

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

function publicKeyOf({ publicKey }: KeyPair): string {
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}

/** Answers a command with observations; an empty list leaves it unanswered. */
export type Script = (command: CommandEnvelope) => readonly ObservationBody[];

export class ScriptedMachine implements AsyncDisposable {
  readonly commands: CommandEnvelope[] = [];
  readonly observations: Observation[] = [];
  /** Id of the journal: another id is another journal. */
  agentEpoch: string = randomUUID();
  script: Script = () => [];
  epoch = 0;
  accessToken = '';
  storedThrough = 0;
  closed: { code: number; reason: string } | null = null;
  /** Says hello again when the access token has expired, as a real machine does. */
  renews = false;
  /** Reason in the coordinator's last message before it ended a connection. */
  lastWord: SyncAnswer['reason'] = null;
  #url: string;
  #machineId = '';
  readonly #keys = generateKeyPairSync('ed25519');
  #socket: WebSocket | null = null;
  #seq = 0;
  #isOver = false;

  constructor(url: string) {
    this.#url = url;
  }

  get machineId(): string {
    return this.#machineId;
  }

  async join(token: string, name = 'test-machine'): Promise<void> {
    const secret = readInvitation(token)?.secret ?? token;
    const body = { proto: PROTOCOL_VERSION, token: secret, name, publicKey: publicKeyOf(this.#keys) };
    const answer = joinAnswer.parse(await post(`${this.#url}/agent/join`, body));
    this.#machineId = answer.machineId;
  }

  /** Asks for a challenge and says hello. */
  async hello(change: HelloChange = {}): Promise<HelloAnswer> {
    const request = await this.helloRequest(change);
    return this.greeted(await post(`${this.#url}/agent/hello`, request));
  }

  async challenge(url = this.#url): Promise<ChallengeAnswer> {
    const body = { proto: PROTOCOL_VERSION, machineId: this.#machineId, url, salt: randomUUID() };
    return challengeAnswer.parse(await post(`${this.#url}/agent/challenge`, body));
  }

  /** Builds a whole hello as it goes over the wire. */
  async helloRequest({ key = this.#keys.privateKey, url = this.#url, next = null, given }: HelloChange = {}): Promise<
    Record<string, unknown>
  > {
    const { nonce, coordinator } = given ?? (await this.challenge(url));
    const nextKey = next === null ? null : publicKeyOf(next);
    const message = helloMessage({
      machineId: this.#machineId,
      nonce,
      agentEpoch: this.agentEpoch,
      coordinator,
      url,
      next: nextKey === null ? null : { publicKey: nextKey },
    });
    const signed = (by: KeyObject): string => sign(null, Buffer.from(message), by).toString('base64');
    return {
      machineId: this.#machineId,
      nonce,
      coordinator,
      url,
      agentEpoch: this.agentEpoch,
      signature: signed(key),
      next: next === null ? null : { publicKey: nextKey, signature: signed(next.privateKey) },
      proto: PROTOCOL_VERSION,
      version: 'test',
      facts: { hostname: 'h', platform: 'p', tmux: '3.3a', git: '2', node: '24', zone: 'UTC' },
      places: { workspace: '/w', roots: {} },
    };
  }

  greeted(said: unknown): HelloAnswer {
    const answer = helloAnswer.parse(said);
    this.epoch = answer.epoch;
    this.accessToken = answer.accessToken;
    return answer;
  }

  /** Opens the WebSocket; `url` may be another replica's. */
  async connect(url = this.#url): Promise<void> {
    this.#url = url;
    const socket = new WebSocket(`${url.replace('http', 'ws')}/agent/ws`, {
      headers: { authorization: `Bearer ${this.accessToken}` },
    });
    socket.on('message', (data) => this.#heard(understood(JSON.parse(data.toString()))));
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
      if (code === ACCESS_OVER && this.renews) void this.#renew();
    });
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    this.#socket = socket;
    this.closed = null;
    this.send(this.observations.filter(({ seq }) => seq > this.storedThrough));
  }

  async #renew(): Promise<void> {
    try {
      await this.hello();
      await this.connect();
    } catch (error) {
      if (!this.#isOver) throw error;
    }
    if (this.#isOver) this.cut();
  }

  /** Drops the connection without a close frame. */
  cut(): void {
    this.#socket?.terminate();
  }

  /** Makes a new observation. */
  observe(body: ObservationBody): Observation {
    this.#seq += 1;
    const observation = { seq: this.#seq, at: this.#seq, body };
    this.observations.push(observation);
    this.send([observation]);
    return observation;
  }

  /** Sends observations, also repeated ones. */
  send(observations: readonly Observation[], acks: readonly string[] = []): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ agentEpoch: this.agentEpoch, acks, observations }));
  }

  /** Sends a message unchanged, also one that no agent sends. */
  say(message: unknown): void {
    this.#socket?.send(JSON.stringify(message));
  }

  async poll(waitS: number, profilesRevision = 0): Promise<Understood> {
    const body = { agentEpoch: this.agentEpoch, profilesRevision, acks: [], observations: [] };
    return understood(await post(`${this.#url}/agent/sync?wait=${waitS}`, body, this.accessToken));
  }

  #heard(answer: Understood): void {
    this.lastWord = answer.reason ?? this.lastWord;
    this.storedThrough = Math.max(this.storedThrough, answer.ackThrough);
    for (const command of answer.commands) {
      const known = this.commands.some(({ id }) => id === command.id);
      this.commands.push(command);
      if (!known) for (const body of this.script(command)) this.observe(body);
      this.send([], [command.id]);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.#socket?.terminate();
  }
}

/** An answer whose every command this build can read, as a coordinator of its build must say it. */
type Understood = Omit<SyncAnswer, 'commands'> & { readonly commands: readonly CommandEnvelope[] };

function understood(said: unknown): Understood {
  const answer = syncAnswer.parse(said);
  return { ...answer, commands: answer.commands.map(readable) };
}

function readable(command: SyncAnswer['commands'][number]): CommandEnvelope {
  if ('unread' in command)
    throw new Error(`The coordinator sends what no agent of its build can read: ${command.unread}`);
  return command;
}

/** @throws with the server's own words when the status is not 2xx. */
export async function post(url: string, body: unknown, token?: string): Promise<unknown> {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer: unknown = await response.json();
  if (!response.ok && response.status !== 401) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
  if (response.status === 401 && !url.includes('/sync')) throw new Error(`401 ${JSON.stringify(answer)}`);
  return answer;
}
