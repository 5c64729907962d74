/** How does the simulated agent keep in touch? Hello, then one exchange after the other, then again after a pause. */
import type { HelloAnswer, SyncAnswer, SyncRequest } from '@drover/protocol';
import type { MachineLife } from './machine-life.ts';
import type { SimMachine } from './sim-machine.ts';

/** One connection to some replica. */
export interface SimConnection {
  /** Proves who the machine is. @throws Error when nobody answers. */
  hello(machine: SimMachine): Promise<HelloAnswer>;
  /** One exchange; held until there are orders or `waitMs` is over. @throws Error when no answer comes. */
  sync(
    request: SyncRequest,
    options: { readonly token: string; readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<SyncAnswer>;
}

/** The way to the coordinators. */
export interface SimTransport {
  /** A connection to the next replica. */
  connect(machine: SimMachine): SimConnection;
}

/** Milliseconds that a poll may be held, and that news which come together are collected. */
const WAIT_MS = 25_000;
const COLLECT_MS = 10;
/** The longest pause before a new connection, in milliseconds. */
const BACKOFF_MAX_MS = 5_000;
/** Observations of one message. */
const BATCH_MAX = 400;

/** Runs until the process dies. */
export async function keepInTouch(machine: SimMachine, life: MachineLife, transport: SimTransport): Promise<void> {
  const { random } = machine.parts;
  for (let failures = 1; ; failures += 1) {
    try {
      const connection = transport.connect(machine);
      const hello = await life.hear(connection.hello(machine));
      machine.tellPanes();
      machine.tellScreens();
      failures = 0;
      await new Talk({ machine, life, connection, hello }).run();
    } catch (error) {
      machine.parts.watch.log(`${machine.parts.name}: lost its coordinator (${String(error)})`);
    }
    await life.sleep(random.next() * Math.min(BACKOFF_MAX_MS, 250 * 2 ** failures));
  }
}

interface TalkParts {
  readonly machine: SimMachine;
  readonly life: MachineLife;
  readonly connection: SimConnection;
  readonly hello: HelloAnswer;
}

class Talk {
  readonly #parts: TalkParts;
  #acks: string[] = [];
  #ackedThrough = 0;

  constructor(parts: TalkParts) {
    this.#parts = parts;
  }

  /** @throws Error when the connection must end. */
  async run(): Promise<never> {
    for (;;) await this.#exchange();
  }

  async #exchange(): Promise<void> {
    const { machine, life, connection, hello } = this.#parts;
    const { disk } = machine;
    const observations = disk.outbox.filter(({ seq }) => seq > this.#ackedThrough).slice(0, BATCH_MAX);
    const acks = this.#acks;
    this.#acks = [];
    const isIdle = observations.length === 0 && acks.length === 0;
    const news = new AbortController();
    if (isIdle) disk.onAdded = () => void life.after(COLLECT_MS, () => news.abort('news'));
    const request: SyncRequest = { agentEpoch: disk.agentEpoch, profilesRevision: 0, acks, observations };
    const options = { token: hello.accessToken, waitMs: isIdle ? WAIT_MS : 0, signal: news.signal };
    const answer = await life.hear(this.#orNews(connection.sync(request, options), news.signal));
    disk.onAdded = () => {};
    if (answer === null) return;
    this.#heard(answer);
  }

  /** News end a poll that is held; its answer, if one comes, is never read. */
  #orNews(sync: Promise<SyncAnswer>, signal: AbortSignal): Promise<SyncAnswer | null> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => resolve(null));
      sync.then(resolve, reject);
    });
  }

  #heard(answer: SyncAnswer): void {
    const { machine, hello } = this.#parts;
    if (!answer.registered) throw new Error('the coordinator does not know this connection any more');
    if (answer.ackThrough > this.#ackedThrough) {
      machine.disk.acknowledged(answer.ackThrough);
      this.#ackedThrough = answer.ackThrough;
    }
    for (const order of answer.commands) {
      machine.receive(order, hello.epoch);
      this.#acks.push(order.id);
    }
    if (answer.epoch > hello.epoch) throw new Error('another hello raised the epoch');
  }
}
