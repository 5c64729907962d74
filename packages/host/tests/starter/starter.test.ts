/**
 * Checks that a machine keeps the contract of a host also where another process starts the programs, and that the other process is gone when it
 * must be.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createLocalHost } from '../../src/index.ts';
import { hostContract } from '../../src/testing/index.ts';

/** Programs, more than a process starts by itself. */
const MANY = 105;
const WITHIN = { timeoutMs: 60_000 };
const host = createLocalHost({ env: { ...process.env, OWN: 'own', REMOVED: 'x' } });

describe.runIf(process.platform === 'linux')('a process that has started many programs', () => {
  beforeAll(async () => {
    for (let left = MANY; left > 0; left -= 1) await host.run('true', [], WITHIN);
  });

  test('given one program more, when it is asked, then another process started it', async () => {
    expect(await starterPid()).not.toBe(process.pid);
  });

  hostContract(() => Promise.resolve(host));

  test('given two megabytes of input, when a program reads them, then it got all', async () => {
    const outcome = await host.run('wc', ['-c'], { ...WITHIN, input: 'x'.repeat(2_000_000) });

    expect(outcome.stdout.trim()).toBe('2000000');
  });

  test('given bytes that are no text, when a program says them, then they are the same', async () => {
    const { stdoutBytes } = await host.run('printf', [String.raw`\377\000\n`], WITHIN);

    expect([...stdoutBytes]).toEqual([0xff, 0, 0x0a]);
  });

  test('given a starter that is killed, when a program was running, then its fate is not known, and the next one runs', async () => {
    const pid = await starterPid();
    const directory = await mkdtemp(path.join(tmpdir(), 'starter-'));
    const pidFile = path.join(directory, 'pid');
    const running = host.run('sh', ['-c', 'echo $$ > "$1"; exec sleep 60', 'sh', pidFile], WITHIN);
    await expect.poll(() => readFile(pidFile, 'utf8').catch(() => '')).toMatch(/\n$/u);
    const sleeping = Number(await readFile(pidFile, 'utf8'));
    // The process goes on without the starter, so that the test ends it.
    onTestFinished(async () => {
      process.kill(sleeping, 'SIGKILL');
      await rm(directory, { recursive: true });
    });

    process.kill(pid, 'SIGKILL');

    await expect(running).rejects.toMatchObject({ code: 'connection-lost', program: 'sh' });
    expect(await starterPid()).not.toBe(pid);
    expect(await host.processes.isRunning(sleeping)).toBe(true);
  });

  test('given signals that are meant for the process that it serves, when the starter gets them, then it goes on', async () => {
    const pid = await starterPid();

    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);

    expect(await starterPid()).toBe(pid);
  });

  test('given a process that has nothing more to do, when it ends, then its starter ends with it', async () => {
    const { self, parent } = await programsOf(MANY);

    expect(parent).not.toBe(self);
    await expect.poll(() => host.processes.isRunning(parent)).toBe(false);
  });

  test('given a process that starts few programs, when it runs them, then it is their parent', async () => {
    const { self, parent } = await programsOf(3);

    expect(parent).toBe(self);
  });
});

async function starterPid(): Promise<number> {
  return Number((await host.run('sh', ['-c', 'echo $PPID'], WITHIN)).stdout);
}

async function programsOf(count: number): Promise<{ readonly self: number; readonly parent: number }> {
  const script = path.join(import.meta.dirname, 'many-programs.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(count)]);
  return JSON.parse(stdout) as { self: number; parent: number };
}
