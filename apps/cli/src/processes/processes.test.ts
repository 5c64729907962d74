import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isRunning, isSuspended } from './processes.ts';

test.runIf(process.platform === 'linux')(
  'given a process, when it is suspended, goes on and ends, then each is seen, and a suspended one runs all the same',
  async () => {
    const child = spawn('sleep', ['600'], { stdio: 'ignore' });
    const { pid = 0 } = child;
    const seen = (): readonly boolean[] => [isRunning(pid), isSuspended(pid)];
    expect(seen()).toEqual([true, false]);

    child.kill('SIGSTOP');
    await expect.poll(seen).toEqual([true, true]);
    child.kill('SIGCONT');
    await expect.poll(seen).toEqual([true, false]);
    child.kill('SIGKILL');
    await once(child, 'exit');

    expect(seen()).toEqual([false, false]);
  },
);
