// Checks that each text is typed once and whole while the link to the machine is cut again and again. An interrupted text is looked for
// before it is typed again.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@drover/base';
import { BadLink, newSecret, sshHostOn, startSshd } from '@drover/host/testing';
import { endServers, type PaneAddress, TmuxServer } from '@drover/tmux';
import { expect, test } from 'vitest';

const TEXTS = Number(process.env['TEST_TEXTS'] ?? 1_000);
const CUTS = Number(process.env['TEST_CUTS'] ?? 100);
/** Milliseconds of a link that is cut; the next cut comes by chance within so many after texts go through again. */
const CUT_WITHIN_MS = 60;
const RECEIVER = join(import.meta.dirname, '../../../packages/tmux/tests/support/receiver.ts');
const START = '\u001b[200~';
const END = '\u001b[201~\r';

test(`given ${TEXTS} texts, when the link is cut ${CUTS} times while they are typed, then none is lost, doubled or altered`, async () => {
  await using sshd = await startSshd();
  await using link = await BadLink.to(sshd.port);
  await using host = sshHostOn(sshd, { port: link.port });
  const { stateDirectory } = await host.open();
  const run = join(stateDirectory, 'run');
  await mkdir(run);
  const log = join(sshd.home, 'received');
  const socket = { kind: 'path', path: join(run, 'tmux.sock') } as const;
  await using stack = new AsyncDisposableStack();
  const server = await TmuxServer.open({ host, clock: systemClock, socket, secret: randomUUID(), epoch: 1 });
  stack.defer(async () => {
    await host.open();
    await server[Symbol.asyncDispose]();
    await endServers({ host, clock: systemClock }, run);
  });
  const plan = { name: 'w', cwd: sshd.home, argv: [process.execPath, RECEIVER, log] };
  const created = await server.createSession(plan);
  if (created.kind !== 'created') throw new Error(created.kind);
  const pane: PaneAddress = created.pane.incarnation;
  const screen = async (): Promise<string> => {
    const outcome = await server.capture(pane);
    return outcome.kind === 'captured' ? outcome.capture.text : outcome.kind;
  };
  await expect.poll(screen).toContain('READY');

  const told = { sent: 0, unknown: 0, arrived: 0, cuts: 0 };
  const over = new AbortController();
  const cutting = (async () => {
    while (told.cuts < CUTS && !over.signal.aborted) {
      const before = told.sent;
      // Cuts during recovery count too: one of three comes before a text has gone through.
      if (told.cuts % 3 !== 0)
        await expect.poll(() => over.signal.aborted || told.sent > before, { interval: 2 }).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * CUT_WITHIN_MS));
      link.cut();
      told.cuts += 1;
    }
  })();
  const texts: string[] = [];
  for (let at = 0; at < TEXTS || told.cuts < CUTS; at += 1) {
    const text = `${at}-${newSecret()} é\n${'x'.repeat(at % 500)}`;
    texts.push(text);
    while (!(await typed(text))) told.unknown += 1;
    told.sent += 1;
  }
  over.abort();
  await cutting;

  const all = texts.map((text) => `${START}${text}${END}`).join('');
  await expect.poll(async () => (await readFile(log, 'utf8')).length).toBeGreaterThanOrEqual(all.length);
  expect((await readFile(log, 'utf8')) === all).toBe(true);
  console.log(
    `${texts.length} texts, ${told.cuts} cuts, ${told.unknown + told.arrived} unknown, of which ${told.arrived} had arrived`,
  );
  expect(told.cuts).toBe(CUTS);
  expect(told.unknown + told.arrived).toBeGreaterThan(0);

  /** @returns whether it is typed; false: it was not, and may be typed again. */
  async function typed(text: string): Promise<boolean> {
    try {
      const outcome = await server.withPane(pane, (hands) => hands.pasteAndEnter(text));
      if (outcome.kind !== 'sent') throw new Error(outcome.kind);
      return true;
    } catch {
      const found = await checkArrival(text);
      if (found) told.arrived += 1;
      return found;
    }
  }

  /** Recovery ends what the former connection left, so what is not there by then comes no more. */
  async function checkArrival(text: string): Promise<boolean> {
    for (;;) {
      try {
        await host.open();
        // An answer of the server is behind all that it took before; the program may still read.
        const shown = await server.capture(pane);
        if (shown.kind !== 'captured') throw new Error(shown.kind);
        await host.run('sleep', ['0.2'], { timeoutMs: 10_000 });
        return (await readFile(log, 'utf8').catch(() => '')).includes(text);
      } catch (error) {
        if (error instanceof Error && error.message === 'pane-gone') throw error;
      }
    }
  }
});
