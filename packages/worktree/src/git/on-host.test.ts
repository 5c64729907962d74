import { createLocalHost } from '@drover/host';
import { expect, test } from 'vitest';
import { gitOn } from './git.ts';

test('given a program that writes 70 MB, when it is run, then it ends by itself and the part that was asked for is kept', async () => {
  const { run } = gitOn(createLocalHost({ env: process.env }));
  const words = ['-c', 'head -c 70000000 /dev/zero | tr "\\0" x; exit 3'];

  const result = await run('sh', words, { timeoutMs: 60_000, outputBytesMax: 512 * 1024 });

  expect(result).toMatchObject({ status: 3, timedOut: false });
  expect(result.stdout).toBe('x'.repeat(512 * 1024));
});
