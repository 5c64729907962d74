// Tests that processes which a killed test left end, and no others.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { killProcessesBelow } from './processes-below.ts';

const WAITS = 'setInterval(() => {}, 1_000_000); console.log("up")';
const DIRECTORY = '/nowhere/of-a-test';

/** A process that waits; it ends with the test. */
async function waiting(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['-e', WAITS, ...args], { stdio: ['ignore', 'pipe', 'ignore'], env });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { child, ended, [Symbol.asyncDispose]: end };
}

test('given processes that name a directory in arguments or environment, when they are killed, then only they end', async () => {
  await using one = await waiting([`${DIRECTORY}/socket`], {});
  await using two = await waiting([], { HOME: `${DIRECTORY}/home` });
  await using other = await waiting([`${DIRECTORY}-2/socket`], { TMPDIR: DIRECTORY });

  const killed = await killProcessesBelow(DIRECTORY);

  expect(await one.ended).toEqual([null, 'SIGKILL']);
  expect(await two.ended).toEqual([null, 'SIGKILL']);
  expect(killed).toHaveLength(2);
  expect([other.child.exitCode, other.child.signalCode]).toEqual([null, null]);
});
