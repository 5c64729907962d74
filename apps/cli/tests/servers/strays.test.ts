/** Tests a long-running process with errors that nothing waited for, and with an end that does not come, in a process of its own. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../support/stray-process.ts', import.meta.url));

async function run(how: string): Promise<{ status: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [PROGRAM, how], { timeout: 120_000 }, (_error, out, err) =>
      resolve({ status: child.exitCode ?? -1, out, err }),
    );
  });
}

test('given a promise that fails unawaited, when it does, then it is logged with its stack and the process goes on', async () => {
  const { status, out, err } = await run('rejection');

  expect(status).toBe(0);
  expect(out).toBe('closed what was open\n');
  expect(err).toMatch(/^error .*Drover continues.*nobody waits for me\n\s+at .*stray-process\.ts/s);
});

test('given an exception that is not caught, when it comes, then the process closes what is open and ends with status 70', async () => {
  const { status, out, err } = await run('exception');

  expect(status).toBe(70);
  expect(out).toBe('closed what was open\n');
  expect(err).toMatch(/^error .*nobody catches me\n\s+at .*stray-process\.ts/s);
  expect(err).toContain('drover: Drover stopped after an unexpected error');
});

test('given an exception after which the process does not end, when the time is over, then it ends with status 70 all the same', async () => {
  expect(await run('stuck')).toMatchObject({ status: 70, out: 'closed what was open\n' });
});

test('given an end that was asked for and something that stays open, when the time is over, then the process names it and ends as asked', async () => {
  const { status, out, err } = await run('unclosed');

  expect({ status, out }).toEqual({ status: 0, out: 'closed what was open\n' });
  expect(err).toMatch(/^error Drover could not close everything within 300 ms.* × Timeout/u);
});
