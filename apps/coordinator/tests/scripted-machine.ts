/** A machine agent of tests: speaks the real protocol and answers orders as a script says. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { helloAnswer, helloMessage, joinAnswer, syncAnswer } from '@drover/protocol';
import type { HelloAnswer, Observation, ObservationBody, SyncAnswer, WireCommand } from '@drover/protocol';
import { WebSocket } from 'ws';

/** Answers an order with observations; an empty list leaves it unanswered. */
export type Script = (command: WireCommand) => readonly ObservationBody[];

export class ScriptedMachine implements AsyncDisposable {
  readonly commands: WireCommand[] = [];
  readonly observations: Observation[] = [];
  readonly agentEpoch = randomUUID();
  script: Script = () => [];
  epoch = 0;
  accessToken = '';
  storedThrough = 0;
  closed: { code: number; reason: string } | null = null;
  #url: string;
  #machineId = '';
  readonly #keys = generateKeyPairSync('ed25519');
  #socket: WebSocket | null = null;
  #seq = 0;

  constructor(url: string) {
    this.#url = url;
  }

  get machineId(): string {
    return this.#machineId;
  }

  async join(token: string, name = 'test-machine'): Promise<void> {
    const publicKey = this.#keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    const answer = joinAnswer.parse(await post(`${this.#url}/agent/join`, { token, name, publicKey }));
    this.#machineId = answer.machineId;
  }

  async hello(key: KeyObject = this.#keys.privateKey): Promise<HelloAnswer> {
    const { nonce } = (await post(`${this.#url}/agent/challenge`, { machineId: this.#machineId })) as { nonce: string };
    const message = helloMessage({ machineId: this.#machineId, nonce, agentEpoch: this.agentEpoch });
    const answer = helloAnswer.parse(
      await post(`${this.#url}/agent/hello`, {
        machineId: this.#machineId,
        nonce,
        agentEpoch: this.agentEpoch,
        signature: sign(null, Buffer.from(message), key).toString('base64'),
        proto: '1.0',
        version: 'test',
        facts: { hostname: 'h', platform: 'p', tmux: '3.3a', git: '2', node: '24' },
      }),
    );
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
    });
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    this.#socket = socket;
    this.closed = null;
    this.send(this.observations.filter(({ seq }) => seq > this.storedThrough));
  }

  /** Drops the connection without a word. */
  cut(): void {
    this.#socket?.terminate();
  }

  /** Says something new. */
  observe(body: ObservationBody): Observation {
    this.#seq += 1;
    const observation = { seq: this.#seq, at: this.#seq, body };
    this.observations.push(observation);
    this.send([observation]);
    return observation;
  }

  /** Sends observations, also such as were sent before. */
  send(observations: readonly Observation[], acks: readonly string[] = []): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ agentEpoch: this.agentEpoch, acks, observations }));
  }

  async poll(waitS: number, profilesRevision = 0): Promise<Understood> {
    const body = { agentEpoch: this.agentEpoch, profilesRevision, acks: [], observations: [] };
    return understood(await post(`${this.#url}/agent/sync?wait=${waitS}`, body, this.accessToken));
  }

  #heard(answer: Understood): void {
    this.storedThrough = Math.max(this.storedThrough, answer.ackThrough);
    for (const command of answer.commands) {
      const known = this.commands.some(({ id }) => id === command.id);
      this.commands.push(command);
      if (!known) for (const body of this.script(command)) this.observe(body);
      this.send([], [command.id]);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket?.terminate();
  }
}

/** An answer whose every order this build can read, as a coordinator of its build must say it. */
type Understood = Omit<SyncAnswer, 'commands'> & { readonly commands: readonly WireCommand[] };

function understood(said: unknown): Understood {
  const answer = syncAnswer.parse(said);
  return { ...answer, commands: answer.commands.map(readable) };
}

function readable(order: SyncAnswer['commands'][number]): WireCommand {
  if ('unread' in order) throw new Error(`The coordinator orders what no agent of its build can read: ${order.unread}`);
  return order;
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
