/** Minimal host and clock for tests of the driver on this machine. */
import { execFile, spawn } from 'node:child_process';
import * as fs from 'node:fs/promises';
import type { Clock } from '@drover/base';

import type { ByteStream, EndingTools, RunOutcome } from '../../src/index.ts';

export const clock: Clock = {
  now: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

export const host: EndingTools['host'] & { text: (program: string, args: readonly string[]) => Promise<string> } = {
  run(program, args, { env = {}, input, timeoutMs }) {
    return new Promise((resolve, reject) => {
      const options = { env: merged(env), timeout: timeoutMs, encoding: 'buffer', maxBuffer: 2 ** 24 } as const;
      const child = execFile(program, args, options, (error, stdout, stderr) => {
        if (child.pid === undefined) {
          reject(Object.assign(new Error('missing', { cause: error }), { code: 'program-missing' }));
          return;
        }
        const status = child.exitCode ?? undefined;
        resolve({ status, stdoutBytes: stdout, stderr: stderr.toString(), timedOut: child.killed });
      });
      child.stdin?.on('error', () => {});
      child.stdin?.end(input);
    });
  },

  spawnStream(program, args, { env = {} }): Promise<ByteStream> {
    const child = spawn(program, args, { env: merged(env), stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.on('error', () => {});
    const { promise, resolve } = Promise.withResolvers<{ stderr: string }>();
    child.once('close', () => resolve({ stderr: '' }));
    return Promise.resolve({
      output: child.stdout,
      exit: promise,
      write: (bytes) => void child.stdin.write(bytes),
      end: () => void child.stdin.end(),
      kill() {
        child.stdout.destroy();
        child.kill('SIGKILL');
      },
    });
  },

  async stat(path) {
    const found = await fs.stat(path).catch((): undefined => undefined);
    return found && { kind: found.isDirectory() ? 'directory' : 'file' };
  },

  readdir(path) {
    return fs.readdir(path, { withFileTypes: true }).catch((): undefined => undefined);
  },

  processes: {
    isRunning: async (pid) => /^[^ZX\n]/u.test(await host.text('ps', ['-o', 'stat=', '-p', String(pid)])),
    startOf: () => Promise.resolve(undefined),
    signal(pid, signal) {
      try {
        return Promise.resolve(process.kill(pid, signal));
      } catch {
        return Promise.resolve(false);
      }
    },
  },

  /** Both outputs of a program, for tests to look at. */
  async text(program, args) {
    const outcome: RunOutcome = await host.run(program, args, { timeoutMs: 10_000 });
    return Buffer.from(outcome.stdoutBytes).toString() + outcome.stderr;
  },
};

function merged(change: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries({ ...process.env, ...change }).filter(([, value]) => value !== undefined));
}
