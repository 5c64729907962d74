// Simulates the network between machines and replicas: late, lost, doubled and half-open exchanges, and partitions.
import type { Post } from '@drover/machine-agent/testing';
import type { SeededRandom, VirtualTime } from '@drover/testkit';
import { serveAgent } from './agent-door.ts';
import type { Answered, Asked } from './agent-door.ts';
import type { Luck } from '../faults/luck.ts';
import type { Replica } from './replica.ts';
import type { Tally } from '../runs/tally.ts';

/** The longest that a connection takes to be refused or to break, in milliseconds. */
const BROKEN_WITHIN_MS = 10_000;

const SYNC = '/agent/sync';
/** Answers that may come again. */
const ANSWERS_KEPT = 6;

export interface NetworkParts {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly luck: Luck;
  readonly tally: Tally;
  readonly replicas: readonly Replica[];
}

/** Parts of an address. */
interface Addressed {
  readonly host: string;
  readonly path: string;
  /** Milliseconds that the answer may be held. */
  readonly waitMs: number;
}

/** The network of one schedule. */
export class Network {
  readonly #parts: NetworkParts;
  /** The last answers to each machine. */
  readonly #answers = new Map<string, readonly Answered[]>();
  /** Addresses by the text they were read from: a schedule has few, and asks them a hundred times. */
  readonly #addresses = new Map<string, Addressed>();
  readonly #cutOffUntil = new Map<string, number>();
  /** Machines whose last request got no answer: what they report is not known yet. */
  readonly #unanswered = new Set<string>();

  constructor(parts: NetworkParts) {
    this.#parts = parts;
  }

  /** Cuts a machine off from everybody for a while. */
  cutOff(machine: string, ms: number): void {
    this.#parts.tally.fault('network-partition', `${machine} for ${ms} ms`);
    this.#cutOffUntil.set(machine, this.#parts.time.now() + ms);
  }

  /** Tells whether nothing gets through to this machine now, or nothing has since. */
  isAway(machine: string): boolean {
    return this.#isCutOff(machine) || this.#unanswered.has(machine);
  }

  /** The addresses of all replicas; machine after machine begins with another one. */
  urlsFor(machine: number): readonly string[] {
    const urls = this.#parts.replicas.map(({ parts }) => `sim://${parts.name}`);
    const first = machine % urls.length;
    return [...urls.slice(first), ...urls.slice(0, first)];
  }

  /**
   * Returns the function that sends one machine's requests, and drops the answer to a request that the machine has given up.
   *
   * @param via The gateway that speaks for it; where that is cut off, so is the machine.
   */
  postFrom(machine: string, via = machine): Post {
    return (address, { body, token = '', signal }) => {
      const { host, path, waitMs } = this.#addressed(address);
      const replica = this.#parts.replicas.find(({ parts }) => parts.name === host);
      if (replica === undefined) return Promise.reject(new Error(`nobody is at ${address}`));
      const asked: Asked = { path, body, token, waitMs, signal };
      const answer = this.#exchange({ name: machine, via }, () => serveAgent(replica, asked));
      return unlessGivenUp(signal, path === SYNC ? this.#orStale(`${via} ${machine}`, answer) : answer);
    };
  }

  #addressed(address: string): Addressed {
    const known = this.#addresses.get(address) ?? addressed(address);
    this.#addresses.set(address, known);
    return known;
  }

  async #exchange<T>({ name, via }: { name: string; via: string }, run: () => Promise<T>): Promise<T> {
    const { time, random, luck, tally } = this.#parts;
    const { drop, answerLost, duplicate, late } = luck.network;
    await time.sleep(random.int(0, 20));
    const dice = random.next();
    const isCutOff = (): boolean => this.#isCutOff(name) || this.#isCutOff(via);
    if (isCutOff() || dice < drop) {
      if (dice < drop) tally.fault('network-drop', name);
      return this.#noAnswer(name);
    }
    if (dice < drop + answerLost) {
      tally.fault('network-answer-lost', name);
      run().catch(() => {});
      return this.#noAnswer(name);
    }
    if (dice < drop + answerLost + late) {
      tally.fault('network-late', name);
      time.after(random.int(1_000, 60_000), () => void run().catch(() => {}));
      return this.#noAnswer(name);
    }
    if (dice < drop + answerLost + late + duplicate) {
      tally.fault('network-duplicate', name);
      run().catch(() => {});
    }
    const answer = await run();
    await time.sleep(random.int(0, 20));
    if (isCutOff()) return this.#noAnswer(name);
    this.#unanswered.delete(name);
    return answer;
  }

  /** Answers sometimes as a middlebox that repeats an earlier answer: commands come twice, and after newer ones. */
  async #orStale(name: string, answer: Promise<Answered>): Promise<Answered> {
    const fresh = await answer;
    const { random, luck, tally } = this.#parts;
    const earlier = this.#answers.get(name) ?? [];
    this.#answers.set(name, [...earlier, fresh].slice(-ANSWERS_KEPT));
    if (earlier.length === 0 || !random.chance(luck.network.stale)) return fresh;
    tally.fault('network-stale-answer', name);
    return random.pick(earlier);
  }

  #isCutOff(machine: string): boolean {
    return this.#parts.time.now() < (this.#cutOffUntil.get(machine) ?? 0);
  }

  /** The connection breaks, or only looks open: then the caller must give up by itself. */
  async #noAnswer(name: string): Promise<never> {
    this.#unanswered.add(name);
    const { time, random, tally } = this.#parts;
    if (random.chance(0.5)) {
      tally.fault('network-half-open');
      return new Promise(() => {});
    }
    await time.sleep(random.int(100, BROKEN_WITHIN_MS));
    throw new Error('the connection broke');
  }
}

function addressed(address: string): Addressed {
  const { host, pathname, searchParams } = new URL(address);
  return { host, path: pathname, waitMs: Number(searchParams.get('wait') ?? 0) * 1_000 };
}

function unlessGivenUp<T>(signal: AbortSignal, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new Error('the request was given up'));
    if (signal.aborted) {
      answer.catch(() => {});
      return giveUp();
    }
    signal.addEventListener('abort', giveUp);
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
