/** Checks that locks that a killed git left in a place stand in the way of no task, and locks of a git that works there stay. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from '../support/machine.ts';

const HAS_PROC = existsSync('/proc/self/cwd');

const prepare = (machine: TestMachine) =>
  machine.coordinator.carriedOut(machine.worker(), { kind: 'prepare', reset: true, saveAs: randomUUID() });

test.skipIf(!HAS_PROC)(
  'given the lock of a git that was killed, when a task begins, then it is removed and the place is made ready',
  async () => {
    await using machine = await TestMachine.start();
    await machine.agent();
    await prepare(machine);
    const lock = join(machine.worktree(), '.git/index.lock');
    writeFileSync(lock, '');
    writeFileSync(join(machine.worktree(), 'half.txt'), 'half done');

    const prepared = await expectKind(prepare(machine), 'prepared');

    expect(prepared.saved).not.toBeNull();
    expect(existsSync(lock)).toBe(false);
  },
);

test.skipIf(!HAS_PROC)(
  'given the lock of a git that works there, when a task begins, then it stays and the failure says what is in the way',
  async () => {
    await using machine = await TestMachine.start();
    await machine.agent();
    await prepare(machine);
    const lock = join(machine.worktree(), '.git/index.lock');
    writeFileSync(lock, '');
    writeFileSync(join(machine.worktree(), 'half.txt'), 'half done');
    const git = spawn('sleep', ['600'], { argv0: 'git', cwd: machine.worktree(), stdio: 'ignore' });
    await once(git, 'spawn');
    try {
      const failed = await prepare(machine);

      expect(failed).toMatchObject({ kind: 'failed', message: expect.stringContaining('index.lock') });
      expect(existsSync(lock)).toBe(true);
    } finally {
      git.kill();
    }
  },
);
