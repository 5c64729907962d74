/** Checks that a machine reports what it is and what it has, and that its processes and its loopback address are reached. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';

import type { Host } from '../../host.ts';
import type { Tried } from './open-host.ts';
import { WITHIN } from './open-host.ts';

const WAIT = { timeout: 60_000 };
/** Words of this system, and of the servers. */
const NOTHING_LISTENS = /ECONNREFUSED|ENOENT|refused|open failed|Connect/iu;

/** @param reachesSockets Whether Unix sockets of the machine can be connected to. */
export function machineContract(tried: () => Promise<Tried>, reachesSockets: boolean): void {
  test('given a process, when it is asked for and ended, then it runs and then not, also where its parent does not collect it', async () => {
    const { host } = await tried();
    const { stdout } = await host.run('sh', ['-c', 'sleep 600 >/dev/null 2>&1 & echo $!'], WITHIN);
    const alone = Number(stdout);
    const uncollected = await uncollectedChild(host);

    expect(await host.processes.isRunning(alone)).toBe(true);
    const start = await host.processes.startOf(alone);
    expect(start === undefined).toBe((await host.stat('/proc/self')) === undefined);
    expect(await host.processes.startOf(alone)).toBe(start);
    expect(await host.processes.startOf(NO_PID)).toBeUndefined();
    expect(await host.processes.signal(alone, 'SIGTERM')).toBe(true);
    await vi.waitFor(async () => expect(await host.processes.isRunning(alone)).toBe(false), WAIT);
    await vi.waitFor(async () => expect(await host.processes.isRunning(uncollected)).toBe(false), WAIT);
    expect(await host.processes.isRunning(NO_PID)).toBe(false);
    expect(await host.processes.signal(NO_PID, 'SIGTERM')).toBe(false);
  });

  test('given a process that waits for SIGUSR1, when it is signalled, then it hears that and goes on', async () => {
    const { host } = await tried();
    const script = 'trap "echo heard; exit 0" USR1; echo $$; while :; do sleep 0.05; done';
    const stream = await host.spawnStream('sh', ['-c', script], {});
    const heard: string[] = [];
    const reading = (async () => {
      for await (const bytes of stream.output) heard.push(Buffer.from(bytes).toString());
    })();
    await vi.waitFor(() => expect(heard.join('')).toMatch(/^\d+\n$/u), WAIT);
    const pid = Number(heard.join(''));

    expect(await host.processes.signal(pid, 'SIGUSR1')).toBe(true);
    await reading;

    expect(heard.join('')).toBe(`${pid}\nheard\n`);
  });

  test('given a process of another user, when it is asked for, then it runs', async () => {
    const { host } = await tried();

    expect(await host.processes.isRunning(1)).toBe(true);
  });

  test('given a server on the loopback address and one on a socket, when they are connected to, then bytes go both ways, and nothing listens elsewhere', async () => {
    const { host } = await tried();
    const directory = await mkdtemp('/tmp/dch-');
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const places = reachesSockets ? [0, join(directory, 's')] : [0];

    for (const place of places) {
      const server = createServer((socket) => socket.pipe(socket));
      onTestFinished(() => void server.close());
      await new Promise<void>((resolve) => {
        if (typeof place === 'number') server.listen(place, '127.0.0.1', resolve);
        else server.listen(place, resolve);
      });
      const to = typeof place === 'number' ? (server.address() as AddressInfo).port : place;
      const stream = await host.loopback.connect(to);
      stream.write('there and back');

      expect(String((await once(stream, 'data'))[0])).toBe('there and back');
      stream.destroy();
    }
    await expect(host.loopback.connect(await host.loopback.freePort())).rejects.toThrow(NOTHING_LISTENS);
    await expect(host.loopback.connect(join(directory, 'nothing'))).rejects.toThrow(
      reachesSockets ? NOTHING_LISTENS : /no Unix socket/u,
    );
  });

  test('given a free port, when a program listens there, then it may', async () => {
    const { host } = await tried();
    const server = createServer();
    onTestFinished(() => void server.close());

    // The host is asked up to three times, because another test may take the port first.
    const ports: number[] = [];
    for (let listens = false; !listens && ports.length < 3;) {
      const port = await host.loopback.freePort();
      ports.push(port);
      listens = await listenAt(server, port);
    }

    expect(server.listening).toBe(true);
    expect(Math.min(...ports)).toBeGreaterThan(1023);
  });

  test('given a machine, when it is asked what it is, then it says so, twice the same', async () => {
    const { host } = await tried();

    const facts = await host.facts();

    expect(facts.platform).toBe(process.platform);
    expect(facts.hostname).not.toBe('');
    expect(facts.zone).toMatch(/^[A-Za-z]/u);
    expect(await host.stat(facts.home)).toMatchObject({ kind: 'directory' });
    expect(facts.bootId).not.toBe('');
    expect(await host.facts()).toEqual(facts);
    expect(Math.abs(host.clockOffsetMs())).toBeLessThan(2_000);
    expect(host.link.state).toEqual({ kind: 'up' });
    expect(host.link.roundTripMs).toBeGreaterThanOrEqual(0);
  });

  test('given a machine, when it is asked what it has to do, then the numbers are possible ones', async () => {
    const { host, directory } = await tried();

    const { processors, load, memory } = await host.load();
    const disk = await host.disk(`${directory}/not/there/yet`);

    expect(processors).toBeGreaterThanOrEqual(1);
    expect(load).toBeGreaterThanOrEqual(0);
    expect(memory.bytes).toBeGreaterThan(2 ** 24);
    expect(memory.freeBytes).toBeGreaterThan(0);
    expect(memory.freeBytes).toBeLessThanOrEqual(memory.bytes);
    expect(disk?.freeBytes).toBeGreaterThan(0);
    expect(disk?.bytes).toBeGreaterThanOrEqual(disk?.freeBytes ?? 0);
  });

  test('given the variables of programs, when they are asked for, then those of the host are there', async () => {
    const { host } = await tried();

    expect(await host.environment()).toMatchObject({ OWN: 'own', REMOVED: 'x' });
  });

  test('given names of programs, when their files are looked for, then only what may be started is found', async () => {
    const { host, directory } = await tried();
    await host.writeFile(`${directory}/program`, '#!/bin/sh\n', { mode: 0o700 });
    await host.writeFile(`${directory}/text`, 'x');

    expect(await host.findProgram('sh')).toMatch(/^\/.*\/sh$/u);
    expect(await host.findProgram(`${directory}/program`)).toBe(`${directory}/program`);
    for (const none of [`${directory}/text`, directory, `${directory}/nothing`, 'no-such-program-here', ''])
      expect(await host.findProgram(none)).toBeUndefined();
  });

  test('given a watched directory, when a file in it is written and named in its news, then its name is told until the watch ends', async () => {
    const { host, directory } = await tried();
    const names: string[] = [];
    const place = `${directory}/hooks`;
    expect(await host.watch(place, () => {})).toBeUndefined();
    await host.mkdir(place);
    await host.writeFile(`${place}/news`, 'old\n');

    const watch = await host.watch(place, (name) => names.push(name));
    await host.writeFile(`${place}/worker.status`, 'x', { inPlace: true });
    await host.appendFile(`${place}/news`, 'worker.status\n');

    await vi.waitFor(() => expect(names).toContain('worker.status'), WAIT);
    expect(names).not.toContain('old');
    watch?.[Symbol.dispose]();
    await watch?.ended;
  });
}

/** Process number above any that a system gives. */
const NO_PID = 2 ** 30;

/** A child that has ended and that its parent, which became another program, does not collect. */
async function uncollectedChild(host: Host): Promise<number> {
  const stream = await host.spawnStream('sh', ['-c', 'true & echo $!; exec sleep 600']);
  onTestFinished(() => stream.kill());
  for await (const chunk of stream.output) return Number(Buffer.from(chunk).toString());
  throw new Error('The program said nothing');
}

/** @returns false when another program has the port. */
async function listenAt(server: Server, port: number): Promise<boolean> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  }
}
