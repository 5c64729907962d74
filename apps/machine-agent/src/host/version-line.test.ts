/** Answers of real programs that are asked for their version. */
import { createLocalHost } from '@drover/host';
import { expect, test } from 'vitest';
import { askVersion, versionLine } from './version-line.ts';

test.each([
  ['prints two lines', 'echo "tool 1.2.3 "; echo more', { kind: 'told', line: 'tool 1.2.3' }],
  ['ends with an error', 'echo tool; exit 3', { kind: 'failed' }],
  ['is killed, as at the end of its time', 'echo tool; kill -9 $$', { kind: 'silent' }],
])(
  'given a program that %s, when it is asked for its version, then the answer says so',
  async (_what, script, answer) => {
    const host = createLocalHost({ env: { PATH: process.env['PATH'] } });

    expect(await askVersion(host, 'sh', ['-c', script])).toEqual(answer);
    expect(await versionLine(host, 'sh', ['-c', script])).toBe('line' in answer ? answer.line : null);
  },
);
