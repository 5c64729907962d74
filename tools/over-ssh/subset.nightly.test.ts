// Runs some tests of `packages/tmux` and `packages/worktree` over SSH, by both carriers. `npm run test:ssh` runs them all.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sshdProgram } from '@drover/host/testing';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FILES = ['packages/tmux/tests/epoch.test.ts', 'packages/worktree/tests/limits.test.ts'];
const LIMIT_MS = 170_000;

const isMissing = sshdProgram() === undefined;
const mark = isMissing ? 'NOT RUN, sshd is missing ("apt-get install openssh-server"): ' : '';

test.skipIf(isMissing).each(['ssh2', 'openssh'])(
  `${mark}given a machine over SSH by %s, when tests of what stands on a host are run there, then they pass`,
  async (carrier) => {
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', '--config', 'tools/over-ssh/vitest.config.ts', '--reporter=dot', ...FILES];
    const env = { ...process.env, TEST_CARRIER: carrier, NO_COLOR: '1', FORCE_COLOR: undefined };

    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env, timeout: LIMIT_MS });

    // A test that is not found would make none fail.
    expect(stdout).toMatch(/Tests +9 passed \(9\)/u);
  },
);
