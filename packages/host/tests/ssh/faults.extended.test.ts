/** Checks what becomes of calls when the link is late, falls silent or is cut in the middle. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest';

import { HostError } from '../../src/index.ts';
import type { SshHost } from '../../src/ssh/index.ts';
import { BadLink, sshdProgram, sshHostOn, startSshd, type TestSshd } from '../../src/testing/index.ts';
import { needs } from './needs.ts';

const WITHIN = { timeoutMs: 60_000 };
/** Cuts in the middle of appending; `TEST_CUTS` asks for more. */
const CUTS = Number(process.env['TEST_CUTS'] ?? 8);
/** Writers of lines at once, and how many each of them writes between two cuts. */
const WRITERS = 5;

needs('sshd', sshdProgram(), () => {
  let sshd: TestSshd;
  let link: BadLink;
  let host: SshHost;
  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterAll(() => sshd[Symbol.asyncDispose]());
  beforeEach(async () => {
    link = await BadLink.to(sshd.port);
    host = sshHostOn(sshd, { port: link.port });
    await host.open();
  });
  afterEach(async () => {
    await link[Symbol.asyncDispose]();
    await host[Symbol.asyncDispose]();
  });

  test('given a link of 100 ms each way, when commands run, then each takes one way there and back, and many at once no longer', async () => {
    for (let run = 0; run < 4; run += 1)
      await Promise.all(Array.from({ length: 4 }, () => host.run('true', [], WITHIN)));
    link.delay(100);
    for (let run = 0; run < 10; run += 1) await host.run('true', [], WITHIN);

    expect(host.link.roundTripMs).toBeGreaterThan(199);
    const atOnce = async (): Promise<number> => {
      const started = performance.now();
      await Promise.all(Array.from({ length: 4 }, () => host.run('true', [], WITHIN)));
      return performance.now() - started;
    };

    // In turn they take at least 800. A busy machine makes a try slow, and never too quick.
    await expect.poll(atOnce, { interval: 0 }).toBeLessThan(650);
  });

  test('given lines that are appended while the link is cut again and again, when all is over, then none is lost, doubled or torn', async () => {
    const file = `${sshd.home}/lines`;
    const told = { done: new Set<string>(), unknown: new Set<string>(), undone: new Set<string>() };
    const over = new AbortController();
    const writer = async (name: number): Promise<void> => {
      for (let at = 0; !over.signal.aborted; at += 1) {
        const line = `${name}-${at}-${'x'.repeat(200)}`;
        try {
          await host.appendFile(file, `${line}\n`);
          told.done.add(line);
        } catch (error) {
          const isUnknown = error instanceof HostError && error.code === 'connection-lost';
          told[isUnknown ? 'unknown' : 'undone'].add(line);
          await host.open().catch(() => {});
        }
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, name) => writer(name));

    for (let cut = 0; cut < CUTS; cut += 1) {
      const before = told.done.size;
      await expect.poll(() => told.done.size, { timeout: 120_000, interval: 3 }).toBeGreaterThan(before + WRITERS);
      link.cut();
    }
    over.abort();
    await Promise.all(writers);

    const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
    expect(new Set(lines).size).toBe(lines.length);
    const written = new Set(lines);
    expect([...told.done].filter((line) => !written.has(line))).toEqual([]);
    expect([...told.undone].filter((line) => written.has(line))).toEqual([]);
    expect(lines.filter((line) => !told.done.has(line) && !told.unknown.has(line))).toEqual([]);
    expect(told.unknown.size).toBeGreaterThan(0);
  });

  test('given a slow link on which a large file is written, when other commands run, then none waits behind all of it', async () => {
    const content = randomBytes(600_000).toString('hex');
    await host.run('true', [], WITHIN);
    link.slow(300_000);
    const written = host.writeFile(`${sshd.home}/large`, content);
    const over = new AbortController();
    void written.then(() => over.abort());

    let answered = 0;
    for (; !over.signal.aborted; answered += 1) await host.run('true', [], WITHIN);

    // A command that waits behind all of it is the only one.
    expect(answered).toBeGreaterThan(4);
    expect(await readFile(`${sshd.home}/large`, 'utf8')).toBe(content);
  });

  test('given a link that falls silent, when calls are under way, then each ends in time as unknown, and later ones run', async () => {
    const stream = await host.spawnStream('cat', []);
    link.freeze();
    const started = performance.now();

    const calls = await Promise.allSettled([
      host.run('true', [], { timeoutMs: 1_000 }),
      host.run('sleep', ['600'], { timeoutMs: 600_000 }),
      host.readFile('/etc/passwd'),
      host.writeFile(`${sshd.home}/silent`, 'x'.repeat(50_000)),
      stream.exit,
    ]);

    // The connection counts as lost after three questions of five seconds without an answer.
    expect(performance.now() - started).toBeLessThan(40_000);
    const codes = calls
      .slice(0, 4)
      .map((call) => (call.status === 'rejected' && call.reason instanceof HostError ? call.reason.code : call.status));
    expect(codes.every((code) => code === 'connection-lost' || code === 'unreachable')).toBe(true);
    link.thaw();
    await expect.poll(() => host.link.state.kind, { timeout: 60_000 }).toBe('up');
    expect(await host.run('true', [], WITHIN)).toMatchObject({ status: 0 });
  });

  test('given a machine that is away, when it comes back, then it is reached again by itself', async () => {
    const states: string[] = [];
    host.link.onChange(({ kind }) => states.push(kind));
    link.refuse(true);
    link.cut();
    await expect.poll(() => host.link.state.kind).toBe('down');
    await expect(host.run('true', [], WITHIN)).rejects.toMatchObject({ code: 'unreachable' });

    link.refuse(false);

    await expect.poll(() => host.link.state.kind, { timeout: 90_000 }).toBe('up');
    expect(await host.run('echo', ['back'], WITHIN)).toMatchObject({ stdout: 'back\n' });
    expect(states).toContain('down');
  });
});
