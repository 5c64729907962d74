/** Terminals of one machine for tests, with a pane, a coordinator and a clock that a test controls. */
import type { ScreenMessage } from '@drover/protocol';
import { parseIncarnation, type Hands } from '@drover/tmux';
import type { Placed } from '../panes/servers.ts';
import { Terminals, type TerminalServer } from '../terminals/terminals.ts';

const INCARNATION = { ...parseIncarnation('1.1.%1.1'), sessionCreated: 1 };
/** Worker whose pane it is. */
export const WORKER = { workerId: 'w', name: 'adam' };

/** Time that passes when the test says so; work that is due runs in its order. */
class TestClock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  now = (): number => this.#now;
  elapsed = (): number => this.#now;
  after = (delayMs: number, run: () => void): (() => void) => {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  get timers(): number {
    return this.#timers.size;
  }

  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settled();
      const [next] = [...this.#timers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
    await settled();
  }
}

/** Waits until everything has run that waits only for other work of this process. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
}

/** Makes a pane with rows that a test writes, which records its input. */
export function makeYard() {
  const clock = new TestClock();
  const pane = { rows: ['one', 'two'], isGone: false, isDead: false, captures: 0, width: 80 };
  const done: string[] = [];
  let free: Promise<void> = Promise.resolve();
  const sent = (what: string): Promise<{ kind: 'sent' | 'pane-gone' }> => {
    if (!pane.isGone) done.push(what);
    return Promise.resolve({ kind: pane.isGone ? 'pane-gone' : 'sent' });
  };
  const hands = {
    passKeys: (bytes: Uint8Array) => sent(`keys ${Buffer.from(bytes).toString()}`),
    paste: (text: string) => sent(`paste ${text}`),
  } as unknown as Hands;
  const server = {
    capture: () => {
      pane.captures += 1;
      if (pane.isGone) return Promise.resolve({ kind: 'pane-gone' });
      const text = pane.rows.join('\n');
      const facts = {
        width: pane.width,
        height: pane.rows.length,
        dead: pane.isDead,
        inMode: false,
        cursor: { x: 1, y: 0, visible: true },
      };
      return Promise.resolve({ kind: 'captured', capture: { facts, bytes: Buffer.from(text), ansi: text, text } });
    },
    withPane: (_pane: unknown, work: (with_: Hands) => Promise<unknown>) => free.then(() => work(hands)),
    fitPane: (_pane: unknown, { columns, rows }: { columns: number; rows: number }) =>
      Promise.resolve(void done.push(`size ${columns}x${rows}`)),
    unfitPanes: (paneId?: string) => Promise.resolve(void done.push(`size of before ${paneId ?? 'everywhere'}`)),
  } as unknown as TerminalServer;
  const placed = { server, pane: { incarnation: INCARNATION } } as unknown as Placed<TerminalServer>;
  const people: Person[] = [];
  const terminals = new Terminals({
    tmux: { find: () => Promise.resolve(placed), servers: () => Promise.resolve([server]) } as never,
    redactor: { screen: (text) => text.replaceAll('secret', '[redacted]') },
    dial: (_target, { onMessage, onClose }) => {
      const person = new Person(onMessage, onClose);
      people.push(person);
      return Promise.resolve({ send: (text) => person.hear(text), close: () => void (person.isClosed = true) });
    },
    clock,
    log: () => {},
  });
  terminals.connected({ url: 'http://c', accessToken: 't' });
  const open = async (types: boolean): Promise<Person> => {
    await terminals.open({ terminal: 'x', types, worker: WORKER });
    await settled();
    const person = people.at(-1);
    if (person === undefined) throw new Error('nobody');
    return person;
  };
  /** Lets another sender type from now on, until the returned function is called. */
  const occupy = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    free = promise;
    return resolve;
  };
  return { clock, pane, done, terminals, open, occupy };
}

/** Other end of the terminal, controlled by a test. */
class Person {
  readonly heard: ScreenMessage[] = [];
  isClosed = false;
  readonly #say: (text: string) => void;
  readonly leave: () => void;

  constructor(say: (text: string) => void, leave: () => void) {
    this.#say = say;
    this.leave = leave;
  }

  hear(text: string): void {
    this.heard.push(JSON.parse(text) as ScreenMessage);
  }

  say(message: object): void {
    this.#say(JSON.stringify(message));
  }

  get frames(): Extract<ScreenMessage, { kind: 'frame' }>[] {
    return this.heard.filter((message) => message.kind === 'frame');
  }
}
