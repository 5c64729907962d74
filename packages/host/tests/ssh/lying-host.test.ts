/**
 * Checks that each call ends, and little is held, whatever a host sends, or does not send, once somebody is logged in. Uses a host of the tests'
 * own.
 */
import { PassThrough } from 'node:stream';
import type { LocalClock } from '@drover/base';
import { expect, test } from 'vitest';

import { type Carrier, CarrierError, type Channel, type ChannelExit } from '../../src/ssh/carrier.ts';
import { SystemError } from '../../src/ssh/files/system-error.ts';
import { sshLoopback } from '../../src/ssh/machine/loopback.ts';
import { watchBy } from '../../src/ssh/machine/watch.ts';
import { openShell } from '../../src/ssh/shell/open-shell.ts';
import { ShellPool } from '../../src/ssh/shell/shell-pool.ts';
import { openStream } from '../../src/ssh/stream.ts';

const OWNER = { machine: 'far', connection: 'one' };
const MARK = 'mark';
const MEGABYTE = Buffer.alloc(1024 * 1024, 0x78);
const LIMITS = { timeoutMs: 3_000, outputBytesMax: 1_000, excess: 'kill' } as const;

test('given a host that prints without end instead of starting a program, when a stream is opened, then it is refused after little of it', async () => {
  const { stream, host } = opening(async (shell) => {
    for (let at = 0; at < 64 && !shell.isClosed; at += 1) await shell.print(MEGABYTE);
  });

  await expect(stream).rejects.toMatchObject({ code: 'spawn-failed', message: expect.stringContaining('printed') });
  expect(host.printed).toBeLessThan(8 * MEGABYTE.length);
});

test('given a host that says nothing of a program that it was to start, when a stream is opened, then it is refused in time', async () => {
  const { stream, clock } = opening(() => {});
  const refused = errorOf(stream);

  await clock.run();

  expect(await refused).toMatchObject({ code: 'spawn-failed' });
});

test('given a file of news in which a line has no end, when it is followed, then that line is passed over, and names after it are told', async () => {
  const names: string[] = [];
  const host = new LyingHost(async (shell, line) => {
    if (!line.includes('drover-news')) return;
    const started = `${MARK}<\n${MARK}!go\n`;
    shell.stderr.write(started);
    await shell.print(`${started}ready\n`);
    for (let at = 0; at < 8; at += 1) await shell.print(MEGABYTE);
    await shell.print('\nevent\n');
  });
  const { pool, clock } = poolOn(host);

  const watching = watchBy({
    open: (wanted) => openStream({ pool, clock }, wanted),
    isDirectory: () => Promise.resolve(true),
    owner: OWNER,
    clock,
  })('/signals', (name) => names.push(name));

  await expect.poll(() => names).toEqual(['event']);
  (await watching)?.[Symbol.dispose]();
});

test('given a server that opens no channel and refuses none, when a command runs, then the connection is given up', async () => {
  const host = new LyingHost(() => {});
  host.opens = false;
  const { pool, clock } = poolOn(host);
  const refused = errorOf(pool.run(Buffer.from(':'), LIMITS));

  await clock.run();

  expect(await refused).toMatchObject({ reason: 'lost' });
  expect(host.ended).toContain('did not open a channel');
});

test.each<[string, boolean, string | undefined]>([
  ['ends no shell', true, undefined],
  ['ends no shell and closes no channel', false, 'could not be killed'],
])(
  'given a host that says that all was killed, and %s, when many commands run into their limits, then each ends',
  async (_what, closes, expected) => {
    const host = new LyingHost(async (shell, line) => {
      if (!line.startsWith('_dB') || line.includes('HANGS')) return;
      shell.stderr.write(`${MARK}<\n${MARK}>0\n`);
      await shell.print(`${MARK}<\n${MARK}>0\n`);
    });
    host.closes = closes;
    const { pool, clock } = poolOn(host);
    const ends: string[] = [];
    const running = (async () => {
      for (let at = 0; at < 12; at += 1)
        await pool.run(Buffer.from('HANGS'), LIMITS).then(
          ({ kind }) => ends.push(kind),
          (error: { reason?: string }) => ends.push(String(error.reason)),
        );
    })();

    await clock.run(() => ends.length === 12);
    await running;

    expect(ends).toHaveLength(12);
    if (expected === undefined) expect(host.ended).toBeUndefined();
    else expect(host.ended).toContain(expected);
  },
);

test('given startup files that write without end to their error output, when a shell is opened, then it is refused after 4 MB', async () => {
  const host = new LyingHost(() => {});
  host.greets = false;
  const clock = new TestClock();
  const opened = openShell(host, OWNER, clock);
  void (async () => {
    await expect.poll(() => host.shells.length).toBe(1);
    for (let at = 0; at < 8; at += 1) host.shells[0]?.stderr.write(MEGABYTE);
  })();

  await expect(opened).rejects.toMatchObject({ code: 'no-shell', message: expect.stringContaining('4 MB') });
});

test('given a server that says nothing of a port, when a free one is looked for, then it is said that none can be looked at', async () => {
  const clock = new TestClock();
  const loopback = sshLoopback({ forward: () => new Promise(() => {}), clock, chance: () => 0 });
  const refused = errorOf(loopback.freePort());

  await clock.run();

  expect(String(await refused)).toMatch(/lets no port be looked at: the server said nothing/u);
});

test('given a tool that writes megabytes of errors, when its error is told, then only their beginning is', () => {
  const error = new SystemError('read', '/a', `cat: /a: No such file or directory\n${'x'.repeat(1_000_000)}`);

  expect(error.code).toBe('ENOENT');
  expect(error.message.length).toBeLessThan(3_000);
});

/** Listened to at once: it may come while something else is waited for. */
function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'no error',
    (error: unknown) => error,
  );
}

type Answers = (shell: LyingShell, line: string) => void | Promise<void>;

function opening(answers: Answers) {
  const host = new LyingHost((shell, line) => (line.startsWith('_dB') ? answers(shell, line) : undefined));
  const { pool, clock } = poolOn(host);
  return { host, clock, stream: openStream({ pool, clock }, { program: 'cat', args: [] }) };
}

function poolOn(host: LyingHost): { readonly pool: ShellPool; readonly clock: TestClock } {
  const clock = new TestClock();
  return {
    clock,
    pool: new ShellPool({ carrier: host, owner: OWNER, clock, newMark: () => MARK, onRoundTrip: () => {} }),
  };
}

/** A shell of the host, which does with each line what a test says. */
class LyingShell implements Channel {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly stderr = new PassThrough();
  readonly exit: Promise<ChannelExit>;
  readonly #host: LyingHost;
  readonly #ended = Promise.withResolvers<ChannelExit>();
  isClosed = false;

  constructor(host: LyingHost, answers: Answers) {
    this.#host = host;
    this.exit = this.#ended.promise;
    let rest = '';
    this.input.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) void answers(this, line);
    });
    if (host.greets) this.output.write(`drover-shell ${OWNER.machine}.${OWNER.connection} 7 7.\n`);
  }

  /** Prints as a server does: no more than the other side takes. */
  async print(bytes: Buffer | string): Promise<void> {
    this.#host.printed += bytes.length;
    if (!this.output.write(bytes) && !this.isClosed)
      await new Promise<void>((resolve) => this.output.once('drain', resolve));
  }

  signal(): void {}

  close(): void {
    this.isClosed = true;
    if (this.#host.closes) this.end();
  }

  end(): void {
    this.#ended.resolve({ status: undefined, signal: undefined });
  }
}

/** A connection to a host that is logged in to. */
class LyingHost implements Carrier {
  readonly shells: LyingShell[] = [];
  readonly closed: Promise<string>;
  readonly #answers: Answers;
  readonly #over = Promise.withResolvers<string>();
  printed = 0;
  opens = true;
  greets = true;
  closes = true;
  /** Reason why the connection was given up. */
  ended: string | undefined;

  constructor(answers: Answers) {
    this.#answers = answers;
    this.closed = this.#over.promise;
  }

  async open(): Promise<Channel> {
    const lost = new CarrierError('lost', 'it has ended');
    if (this.ended !== undefined) throw lost;
    if (!this.opens) {
      await this.closed;
      throw lost;
    }
    const shell = new LyingShell(this, this.#answers);
    this.shells.push(shell);
    return shell;
  }

  forward(): Promise<never> {
    return new Promise(() => {});
  }

  end(why: string): void {
    this.ended ??= why;
    for (const shell of this.shells) shell.end();
    this.#over.resolve(why);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.end('over');
    return Promise.resolve();
  }
}

/** Time that goes on when nothing else does. */
class TestClock implements LocalClock {
  #now = 0;
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.push(timer);
    return () => (this.#timers = this.#timers.filter((one) => one !== timer));
  }

  /** Timers go off one after the other until there is none, or something is so. */
  async run(isOver = (): boolean => false): Promise<void> {
    for (;;) {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const next = this.#timers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined || isOver()) return;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#now = next.at;
      next.run();
    }
  }
}
