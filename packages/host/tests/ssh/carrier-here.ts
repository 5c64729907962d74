/** Carrier to this machine, without SSH. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Carrier, CarrierError, type Channel } from '../../src/ssh/carrier.ts';

export interface CarrierHere extends Carrier {
  /** Process ids of the shells, in the order in which they were opened. */
  readonly opened: readonly number[];
  /** Channels that were closed from this side. */
  readonly closings: readonly number[];
}

interface Machine {
  /** Tells whether the server opens no channel, by how many it has opened. Default: it opens each. */
  readonly refuses?: (opened: number) => boolean;
  /** Commands of the user's startup files. Default: none. */
  readonly startup?: string;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Opens channels that are shells of this machine. */
export function carrierHere({ refuses = () => false, startup = '', env = {} }: Machine = {}): CarrierHere {
  const opened: number[] = [];
  const closings: number[] = [];
  const { promise: closed, resolve: tellClosed } = Promise.withResolvers<string>();
  const ends: (() => Promise<unknown>)[] = [];
  return {
    opened,
    closings,
    closed,
    end: tellClosed,
    async open(command): Promise<Channel> {
      if (refuses(opened.length)) throw new CarrierError('refused', 'open failed');
      const shell = spawn('/bin/sh', ['-c', `${startup}\n${command}`], {
        detached: true,
        env: { ...process.env, ...env },
      });
      const pid = shell.pid ?? 0;
      opened.push(pid);
      const ended = once(shell, 'close');
      let hasEnded = false;
      void ended.then(() => (hasEnded = true));
      // Ends the shell with its group, also where the shell has ended and another program holds its outputs.
      ends.push(() => {
        if (hasEnded) return ended;
        try {
          process.kill(-pid, 'SIGKILL');
        } catch {
          // The group has gone, and its end is reported in a moment.
        }
        return ended;
      });
      const exit = ended.then(() => ({ status: undefined, signal: undefined }));
      const { stdin: input, stdout: output, stderr } = shell;
      input.on('error', () => {});
      return Promise.resolve({ input, output, stderr, exit, signal: () => {}, close: () => void closings.push(pid) });
    },
    forward: () => Promise.reject(new Error('not asked for')),
    async [Symbol.asyncDispose]() {
      await Promise.all(ends.map((end) => end()));
      tellClosed('closed');
    },
  };
}
