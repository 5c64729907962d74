/** Checks that an examination and the attempt after it use one connection, unless that connection is of no more use. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalClock } from '@drover/base';
import { expect, onTestFinished, test } from 'vitest';
import { type CarrierHere, carrierHere } from '../../../tests/ssh/carrier-here.ts';
import { Link } from './link.ts';

/** Milliseconds that an examination waits for the end of its shells. */
const CLOSED_WITHIN_MS = 2_000;
const LEAST = { tmux: '3.2a', git: '2.34' };

/** Link to this machine, with a home of its own. `login`: path of the login shell, which is not there yet. */
async function linked({ startup = '' } = {}) {
  const home = await mkdtemp(join(tmpdir(), 'link-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const login = join(home, 'shell');
  const env = { HOME: home, XDG_STATE_HOME: join(home, 'state'), SHELL: login };
  const timers = new Set<{ readonly delayMs: number; readonly run: () => void }>();
  const clock: LocalClock = {
    now: () => 0,
    elapsed: () => 0,
    after(delayMs, run) {
      const timer = { delayMs, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  const carriers: CarrierHere[] = [];
  let secrets = 0;
  const link = new Link({
    connect: () => {
      const carrier = carrierHere({ startup: carriers.length === 0 ? startup : '', env });
      carriers.push(carrier);
      return Promise.resolve(carrier);
    },
    machine: 'far',
    epoch: 1,
    clock,
    chance: () => 0,
    newSecret: () => `secret${(secrets += 1)}`,
  });
  onTestFinished(async () => {
    await link[Symbol.asyncDispose]();
    for (const carrier of carriers) await carrier[Symbol.asyncDispose]();
  });
  return { link, carriers, timers, login };
}

test('given a startup file that leaves a program which holds each channel, when the machine has been examined, then the channels are closed, and the next attempt makes another connection', async () => {
  const { link, carriers, timers } = await linked({ startup: 'sleep 60 &' });

  const examined = link.examine(LEAST);
  const isLate = (): (() => void) | undefined => [...timers].find(({ delayMs }) => delayMs === CLOSED_WITHIN_MS)?.run;
  await expect.poll(isLate, { timeout: 10_000 }).toBeDefined();
  isLate()?.();
  const { answers } = await examined;
  await link.open();

  expect(answers?.sessions).toBe(7);
  expect(carriers[0]?.closings).toHaveLength(6);
  expect(carriers).toHaveLength(2);
  expect(link.connected?.carrier).toBe(carriers[1]);
});

test('given a login shell that tells its variables only after the examination, when the machine is opened over the same connection, then its programs get them', async () => {
  const { link, carriers, login } = await linked();

  const { answers } = await link.examine(LEAST);
  await writeFile(login, '#!/bin/sh\nFROM_LOGIN=yes; export FROM_LOGIN\nshift; eval "$1"\n', { mode: 0o755 });
  const { environment } = await link.open();

  expect(answers?.isFromLogin).toBe(false);
  expect(carriers).toHaveLength(1);
  expect(environment['FROM_LOGIN']).toBe('yes');
});
