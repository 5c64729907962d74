// What lies between machines and replicas: late, lost, doubled and half-open exchanges, and partitions.
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { helloMessage, PROTOCOL_VERSION } from '@drover/protocol';
import type { SeededRandom, SimConnection, SimMachine, SimTransport, VirtualTime } from '@drover/testkit';
import type { Luck } from './luck.ts';
import type { Replica } from './replica.ts';
import type { Tally } from './tally.ts';

/** How long a client waits for an answer beyond the time that it asked to wait, in milliseconds. */
const PATIENCE_MS = 10_000;

/** What the network is made of. */
export interface NetworkParts {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly luck: Luck;
  readonly tally: Tally;
  readonly replicas: readonly Replica[];
}

/** A machine's place in the fleet: its id, and the key that it signs with. */
export interface Membership {
  readonly machineId: string;
  readonly privateKey: ReturnType<typeof createPrivateKey>;
}

/** Keys are made once for the whole run: nothing depends on which they are. */
export const KEYS = Array.from({ length: 5 }, () => generateKeyPairSync('ed25519'));

/** The network of one schedule. */
export class Network implements SimTransport {
  readonly members = new Map<string, Membership>();
  readonly #parts: NetworkParts;
  readonly #cutOffUntil = new Map<string, number>();
  readonly #turns = new Map<string, number>();

  constructor(parts: NetworkParts) {
    this.#parts = parts;
  }

  /** Nothing gets through between this machine and anybody for a while. */
  cutOff(machine: string, ms: number): void {
    this.#parts.tally.fault('network-partition', `${machine} for ${ms} ms`);
    this.#cutOffUntil.set(machine, this.#parts.time.now() + ms);
  }

  /** Whether nothing gets through to this machine now. */
  isCutOff(machine: string): boolean {
    return this.#parts.time.now() < (this.#cutOffUntil.get(machine) ?? 0);
  }

  connect(machine: SimMachine): SimConnection {
    const { name } = machine.parts;
    const turn = (this.#turns.get(name) ?? 0) + 1;
    this.#turns.set(name, turn);
    const { replicas } = this.#parts;
    const replica = replicas[turn % replicas.length];
    if (replica === undefined) throw new Error('there are no replicas');
    return {
      hello: () => this.#exchange(name, 0, () => this.#hello(machine, replica)),
      sync: (request, options) => this.#exchange(name, options.waitMs, () => replica.sync(request, options)),
    };
  }

  #hello({ parts, disk }: SimMachine, replica: Replica): ReturnType<Replica['hello']> {
    const member = this.members.get(parts.name);
    if (member === undefined) throw new Error(`${parts.name} has not joined`);
    const { machineId, privateKey } = member;
    const { agentEpoch } = disk;
    const facts = { hostname: parts.name, platform: 'sim', tmux: '3', git: '2', node: '24', zone: 'UTC' };
    const request = { machineId, agentEpoch, proto: PROTOCOL_VERSION, version: '0', facts };
    return replica.hello(request, (nonce) =>
      sign(null, Buffer.from(helloMessage({ machineId, nonce, agentEpoch })), privateKey).toString('base64'),
    );
  }

  async #exchange<T>(name: string, waitMs: number, run: () => Promise<T>): Promise<T> {
    const { time, random, luck, tally } = this.#parts;
    const { drop, answerLost, duplicate, late } = luck.network;
    await time.sleep(random.int(0, 20));
    const dice = random.next();
    if (this.isCutOff(name) || dice < drop) {
      if (dice < drop) tally.fault('network-drop', name);
      return this.#noAnswer(0);
    }
    if (dice < drop + answerLost) {
      tally.fault('network-answer-lost', name);
      run().catch(() => {});
      return this.#noAnswer(waitMs);
    }
    if (dice < drop + answerLost + late) {
      tally.fault('network-late', name);
      time.after(random.int(1_000, 60_000), () => void run().catch(() => {}));
      return this.#noAnswer(waitMs);
    }
    if (dice < drop + answerLost + late + duplicate) {
      tally.fault('network-duplicate', name);
      run().catch(() => {});
    }
    const answer = await this.#withPatience(run(), waitMs + PATIENCE_MS);
    await time.sleep(random.int(0, 20));
    if (this.isCutOff(name)) return this.#noAnswer(0);
    return answer;
  }

  async #noAnswer(waitMs: number): Promise<never> {
    await this.#parts.time.sleep(waitMs + this.#parts.random.int(100, PATIENCE_MS));
    throw new Error('no answer');
  }

  #withPatience<T>(answer: Promise<T>, ms: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.#parts.time.after(ms, () => reject(new Error('no answer in time')));
      answer.then(resolve, reject).finally(cancel);
    });
  }
}
