// Measures how much later a machine far away is seen, and how soon a silent link is noticed and a new one used.
import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@drover/base';
import { createLocalHost, type Host } from '@drover/host';
import { BadLink, sshHostOn, type TestSshd } from '@drover/host/testing';
import { TmuxServer, type PaneAddress } from '@drover/tmux';
import { median, ms } from '../src/table.ts';
import type { Plan, Row } from './plan.ts';

/** Milliseconds each way. */
const DELAY_MS = 20;
const RTT_MS = 2 * DELAY_MS;
const LIMITS = { timeoutMs: 30_000 };

/** Everything over one link of 40 ms. */
export async function measureFar(sshd: TestSshd, { far }: Plan): Promise<readonly Row[]> {
  const local = createLocalHost({ env: process.env });
  await using link = await BadLink.to(sshd.port);
  link.delay(DELAY_MS);
  await using host = sshHostOn(sshd, { port: link.port });
  await host.open();
  const near = await times(far, () => local.run('true', [], LIMITS));
  const command = await times(far, () => host.run('true', [], LIMITS));
  const looks = await measureObservations(sshd, { host, local }, far);
  const hook = await measureHooks(sshd, host, far);
  const lost = await measureLoss(sshd, link, host);
  return [
    {
      what: `a command at ${RTT_MS} ms`,
      found: ms(command),
      beside: `local ${ms(near)}`,
      aim: `1.1 RTT + local: ${ms(1.1 * RTT_MS + near)}`,
      met: command <= 1.1 * RTT_MS + near,
    },
    {
      what: `a look at ${RTT_MS} ms`,
      found: ms(looks.far),
      beside: `local ${ms(looks.near)}`,
      aim: `2 RTT + tmux: ${ms(2 * RTT_MS + looks.near)}`,
      met: looks.far <= 2 * RTT_MS + looks.near,
    },
    {
      what: `hook → gateway at ${RTT_MS} ms`,
      found: ms(hook),
      beside: '',
      aim: `RTT/2 + 20 ms: ${ms(RTT_MS / 2 + 20)}`,
      met: hook <= RTT_MS / 2 + 20,
    },
    {
      what: 'frozen link → lost',
      found: `${(lost.noticedMs / 1_000).toFixed(1)} s`,
      beside: '',
      aim: '20 s',
      met: lost.noticedMs <= 20_000,
    },
    {
      what: '  then a new connection → panes known',
      found: ms(lost.knownMs),
      beside: '',
      aim: `16 RTT + 0.2 s: ${ms(16 * RTT_MS + 200)}`,
      met: lost.knownMs <= 16 * RTT_MS + 200,
    },
  ];
}

async function times(count: number, run: () => Promise<unknown>): Promise<number> {
  await run();
  const all: number[] = [];
  for (let done = 0; done < count; done += 1) {
    const start = performance.now();
    await run();
    all.push(performance.now() - start);
  }
  return median(all);
}

function open(host: Host, socket: string): Promise<TmuxServer> {
  return TmuxServer.open({ host, clock: systemClock, socket: { kind: 'path', path: socket }, secret: randomUUID() });
}

async function measureObservations(
  { directory }: TestSshd,
  { host, local }: { readonly host: Host; readonly local: Host },
  count: number,
): Promise<{ readonly near: number; readonly far: number }> {
  const [nearSocket, farSocket] = [join(directory, 'near'), join(directory, 'far')];
  try {
    const timeOf = async (on: Host, socket: string): Promise<number> => {
      await using server = await open(on, socket);
      const pane = await paneOf(server, directory);
      return await times(count, () => server.capture(pane));
    };
    return { near: await timeOf(local, nearSocket), far: await timeOf(host, farSocket) };
  } finally {
    for (const socket of [nearSocket, farSocket])
      await local.run('tmux', ['-S', socket, 'kill-server'], LIMITS).catch(() => {});
  }
}

async function paneOf(server: TmuxServer, cwd: string): Promise<PaneAddress> {
  const made = await server.createSession({ name: 'one', argv: ['cat'], cwd, width: 200, height: 50 });
  if (made.kind !== 'created') throw new Error(`Could not open a pane: ${made.kind}`);
  return made.pane.incarnation;
}

/** Changes files as the hook does: a file, then its name as a line of `news`. */
async function measureHooks({ directory }: TestSshd, host: Host, count: number): Promise<number> {
  const hooks = join(directory, 'hooks');
  await mkdir(hooks);
  await writeFile(join(hooks, 'news'), '');
  let heard: ((name: string) => void) | undefined;
  using watch = await host.watch(hooks, (name) => heard?.(name));
  if (watch === undefined) throw new Error('The directory cannot be watched');
  let number = 0;
  return await times(count, async () => {
    number += 1;
    const name = `event-${number}`;
    const told = new Promise<void>((resolve) => {
      heard = (one) => {
        if (one === name) resolve();
      };
    });
    await writeFile(join(hooks, name), 'x'.repeat(2_000));
    await appendFile(join(hooks, 'news'), `${name}\n`);
    await told;
  });
}

/** The link carries nothing any more; then it does, and a new connection is made at once. */
async function measureLoss(
  { directory }: TestSshd,
  link: BadLink,
  host: ReturnType<typeof sshHostOn>,
): Promise<{ readonly noticedMs: number; readonly knownMs: number }> {
  const lost = new Promise<void>((resolve) => {
    const stop = host.link.onChange(({ kind }) => {
      if (kind !== 'down') return;
      stop();
      resolve();
    });
  });
  const frozenAt = performance.now();
  link.freeze();
  await lost;
  const noticedMs = performance.now() - frozenAt;
  link.thaw();
  link.cut();
  const backAt = performance.now();
  await host.open();
  const socket = join(directory, 'again');
  await using server = await open(host, socket);
  await server.capture(await paneOf(server, directory));
  const knownMs = performance.now() - backAt;
  await host.run('tmux', ['-S', socket, 'kill-server'], LIMITS).catch(() => {});
  return { noticedMs, knownMs };
}
