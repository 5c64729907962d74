/** Tests that a process which a test or a trial has started always ends. */
import { expect, test } from 'vitest';
import { DroverProcess } from './process.ts';

const STUBBORN = "process.on('SIGTERM', () => {}); console.log('{\"pid\": 1}'); setInterval(() => {}, 1_000);";

test('given a process that does not end when it is asked to, when it is ended, then it is killed after a while', async () => {
  await using stubborn = new DroverProcess({ cwd: import.meta.dirname, env: {} }, ['up'], {
    program: [process.execPath, '-e', STUBBORN, '--'],
  });
  stubborn.start();
  await stubborn.ready();

  await stubborn.kill('SIGTERM', 50);

  expect(stubborn.tail()).toContain('(SIGKILL)');
});
