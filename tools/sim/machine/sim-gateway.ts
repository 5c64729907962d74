/**
 * Runs one simulated gateway: the real one (apps/machine-agent/src/gateway), which serves hosts over wires, with a disk of its own and one for each
 * host. The gateway can die, be stopped for a while, and leave.
 */
import type { Log } from '@drover/base';
import { adoptIdentity, Gateway, holdsFor, ServedHost } from '@drover/machine-agent/testing';
import type { LinkNews, MachineKeys, MemoryDisk, OpenHost, Reach } from '@drover/machine-agent/testing';
import type { Post } from '@drover/machine-agent/testing';
import type { ServedMachine } from '@drover/protocol';
import type { SeededRandom, VirtualTime } from '@drover/testkit';
import { AgentProcess } from './agent-process.ts';
import { SshLink, unreached } from './link.ts';
import type { Wire } from './link.ts';
import type { MachineWatch } from './parts.ts';
import { FACTS, giveBack, spareDisk } from './records.ts';
import { SimAgent } from './sim-agent.ts';
import type { SimMachine } from './sim-machine.ts';

/** A host, and the way to it. */
export interface Way {
  readonly host: SimMachine;
  readonly wire: Wire;
}

export interface SimGatewayParts {
  readonly name: string;
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly watch: Pick<MachineWatch, 'log' | 'complained' | 'crashed'>;
  readonly keys: MachineKeys;
  /** Keys of each host. */
  readonly hostKeys: readonly MachineKeys[];
  readonly joinToken: string;
  readonly coordinator: string;
  readonly urls: readonly string[];
  /** Returns the function that sends the gateway's own requests, or those of a host. */
  readonly postFor: (name: string) => Post;
  readonly uuid: () => string;
  readonly ways: readonly Way[];
}

interface Kept {
  readonly disk: MemoryDisk;
  epoch: number | null;
}

interface Running {
  readonly process: AgentProcess;
  readonly leave: AbortController;
  readonly ended: Promise<void>;
}

interface OpenSim extends OpenHost {
  readonly link: SshLink;
}

export class SimGateway {
  readonly parts: SimGatewayParts;
  readonly #disk = spareDisk();
  readonly #kept = new Map<string, Kept>();
  readonly #keys = new Map<string, MachineKeys>();
  #running: Running | null = null;
  /** Milliseconds that the gateway is stopped for when its next command begins. */
  #stopsFor: number | null = null;

  #joinToken: string;

  constructor(parts: SimGatewayParts) {
    this.parts = parts;
    this.#joinToken = parts.joinToken;
  }

  get isUp(): boolean {
    return this.#running?.process.isStopped === false;
  }

  start(): void {
    if (this.#running !== null) return;
    const { time, random, name, keys, urls, postFor, uuid } = this.parts;
    const joinToken = this.#joinToken;
    const process = new AgentProcess({ time, now: time.now, random: random.next, log: this.#log, diesAt: () => false });
    const db = this.#disk.open();
    process.onDeath(() => db[Symbol.dispose]());
    const { clock, log } = process;
    const agentEpoch = db.fact('agent-epoch', uuid);
    const leave = new AbortController();
    const gateway = new Gateway({
      urls,
      identity: {
        db,
        keys,
        machineName: name,
        joinToken,
        agentEpoch,
        version: '0',
        facts: factsOf,
        places: null,
        salt: uuid,
        log,
      },
      post: heardBy(process, postFor(name)),
      clock,
      random: process.random,
      log,
      signal: leave.signal,
      keyFor: (machineId) => this.#keysOf(machineId).current.publicKey,
      serve: (machine, onNews) => this.#serve(process, machine, onNews),
    });
    this.#running = { process, leave, ended: gateway.run() };
  }

  /** Kills the gateway, with all that it was doing, and starts it again after a while. */
  crash(restartMs: number): void {
    const running = this.#running;
    if (running === null) return;
    this.parts.watch.log(`${this.parts.name}: the gateway dies`);
    this.#running = null;
    running.process.die();
    this.parts.time.after(restartMs, () => this.start());
  }

  /** Stops the gateway for a while, from its next command on or at once. Afterwards the gateway goes on as if nothing had happened. */
  stop(ms: number, atOnce: boolean): void {
    this.#stopsFor = atOnce ? null : ms;
    const running = this.#running;
    if (!atOnce || running === null || running.process.isStopped) return;
    this.parts.watch.log(`${this.parts.name}: the gateway is stopped for ${ms} ms`);
    running.process.stop();
    this.parts.time.after(ms, () => running.process.goOn());
  }

  /** Ends the gateway as on request: others may take its hosts at once. */
  async leave(restartMs: number): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.parts.watch.log(`${this.parts.name}: the gateway leaves`);
    running.leave.abort();
    await running.ended;
    if (this.#running === running) this.crash(restartMs);
  }

  /** A person has invited it again, by another token: it joins by that. */
  joinAgain(joinToken: string): void {
    this.#joinToken = joinToken;
    this.crash(1);
  }

  /** The schedule is over. */
  scrap(): void {
    this.#running?.process.die();
    this.#running = null;
    giveBack(this.#disk);
    for (const { disk } of this.#kept.values()) giveBack(disk);
  }

  #serve(process: AgentProcess, machine: ServedMachine, onNews: () => void): ServedHost<OpenSim> {
    const way = this.parts.ways.find(({ host }) => host.name === machine.name);
    if (way === undefined) throw new Error(`${this.parts.name} has no way to ${machine.name}`);
    return new ServedHost({
      machine,
      reach: this.#reach(process, way),
      startAgent: (served, { link }) => Promise.resolve(this.#startAgent(process, way, { served, link })),
      after: (ms, run) => process.after(ms, run),
      log: process.log,
      onNews,
    }).start();
  }

  #reach(process: AgentProcess, { host, wire }: Way): Reach<OpenSim> {
    const { random } = this.parts;
    return {
      // The files of the gateway's user know the hosts as they were when they were added.
      shownKey: ({ pinned }) =>
        Promise.resolve({
          key: host.hostKey,
          trust: pinned.length === 0 || pinned.includes(host.hostKey) ? 'trusted' : 'changed',
        }),
      connect: ({ epoch, pinned }) => {
        const link = new SshLink({ wire, host, epoch, pinned, process, random });
        process.onDeath(() => link.close());
        return {
          examine: () => Promise.resolve([]),
          open: async () => {
            await link.open();
            return {
              link,
              hostId: `host-${host.name}`,
              provenKeys: () => [host.hostKey],
              onChange: (listener: (news: LinkNews) => void) => {
                link.onChange = listener;
              },
            };
          },
          tidy: () => Promise.resolve(),
          [Symbol.asyncDispose]: () => Promise.resolve(link.close()),
        };
      },
      unreached,
    };
  }

  #startAgent(
    process: AgentProcess,
    { host }: Way,
    { served, link }: { readonly served: ServedMachine; readonly link: SshLink },
  ): AsyncDisposable {
    const { random, time, postFor, coordinator } = this.parts;
    const { machineId, epoch } = served;
    const kept = this.#kept.get(machineId) ?? { disk: spareDisk(), epoch: null };
    this.#kept.set(machineId, kept);
    // Follows prepareHostDirectory.
    if (!holdsFor(kept.epoch, epoch)) kept.disk.wipe();
    kept.epoch = epoch;
    const db = kept.disk.open();
    adoptIdentity(db, { machineId, coordinator });
    const agent = new SimAgent({
      machine: host,
      db,
      keys: this.#keysOf(machineId),
      joinToken: undefined,
      post: postFor(host.name),
      now: time.now,
      link,
      within: process,
      begins: () => {
        if (this.#stopsFor !== null) this.stop(this.#stopsFor, true);
      },
      die: (point) => {
        this.parts.watch.crashed(point);
        this.crash(random.int(200, 60_000));
      },
    });
    host.begin(agent);
    return { [Symbol.asyncDispose]: () => Promise.resolve(agent.process.die()) };
  }

  /** Makes the keys at the first call. */
  #keysOf(machineId: string): MachineKeys {
    const known = this.#keys.get(machineId) ?? this.parts.hostKeys[this.#keys.size];
    if (known === undefined) throw new Error(`${this.parts.name} has no key for one more host`);
    this.#keys.set(machineId, known);
    return known;
  }

  readonly #log: Log = (level, message, fields) => {
    const { watch, name } = this.parts;
    const line = `${name} says ${message} ${JSON.stringify(fields ?? {})}`;
    watch.log(`    ${line}`);
    if (level === 'error') watch.complained(line);
  };
}

function factsOf(): Promise<typeof FACTS> {
  return Promise.resolve(FACTS);
}

function heardBy(process: AgentProcess, post: Post): Post {
  return (url, request) => process.hear(post(url, request));
}
