/** Serves a machine with sshd, sh, tmux and git as a host, with nothing of Drover's on it. */
import type { Duplex } from 'node:stream';

import { HostError } from '../errors.ts';
import type { ByteStream, Host } from '../host.ts';
import { sshFiles } from './files/files.ts';
import { type StatTool, WHICH_STAT, whichStat } from './files/stat-tool.ts';
import type { Arrival } from './link/arrive.ts';
import type { ConnectError } from './connect/errors.ts';
import type { Examination, ExamineTools } from './examine/examine.ts';
import { type Connected, Link, type LinkOptions } from './link/link.ts';
import { sshLoopback } from './machine/loopback.ts';
import { sshMachine } from './machine/machine.ts';
import { watchBy } from './machine/watch.ts';
import { runProgram } from './programs.ts';
import { Bodies } from './run-body.ts';
import type { ProgramCall } from './shell/lines.ts';
import { openStream } from './stream.ts';

/** Milliseconds for the question which tools a machine has. */
const TOOLS_MS = 10_000;

/** A machine that is reached by SSH. Without a connection its calls throw `unreachable`; connections come back by themselves. */
export interface SshHost extends Host, AsyncDisposable {
  /** Returns what the machine reported when the present connection was made. */
  arrival(): Arrival | undefined;
  /** Returns why there is no connection; if the error does not say `retry`, no attempt is made until {@link SshHost.open}. */
  failure(): ConnectError | undefined;
  /** Finds what the machine lacks, over the connection that `open` then uses. `least`: the oldest version of each program that serves. @throws ConnectError */
  examine(least: ExamineTools['least']): Promise<Examination>;
  /** Makes an attempt now. @throws ConnectError */
  open(): Promise<Arrival>;
}

/** Creates a host that does nothing before `open`. */
export function createSshHost(options: LinkOptions): SshHost {
  const link = new Link(options);
  const { clock, chance, newSecret } = options;
  const up = (program = 'a command'): Connected => {
    const { connected } = link;
    if (connected !== undefined) return connected;
    const why = link.failure?.message ?? 'it was not reached yet';
    throw new HostError('unreachable', `Cannot run "${program}": there is no connection to the machine: ${why}`, {
      program,
    });
  };
  const bodies = new Bodies(() => up().pool);
  const call = (wanted: ProgramCall): ProgramCall => ({ ...wanted, localeOverride: up().environment['LC_ALL'] });
  const spawn = async (wanted: ProgramCall): Promise<ByteStream> =>
    openStream({ pool: up().pool, clock }, call(wanted));
  const files = sshFiles({ bodies, statTool: onceKnown(bodies), newName: newSecret });
  const hostLink = link.hostLink();
  const forward = async (to: number | string): Promise<Duplex> => up('a connection').carrier.forward(to);
  return {
    ...files,
    ...sshMachine({ bodies, clock }),
    link: hostLink,
    loopback: sshLoopback({ forward, clock, chance }),
    environment: () => Promise.resolve(up().environment),
    hintsByNews: true,
    watch: (directory, onName) =>
      watchBy({
        open: spawn,
        owner: up().owner,
        clock,
        isDirectory: async (path) => (await files.stat(path))?.kind === 'directory',
      })(directory, onName),
    run: async (program, args, runOptions) => {
      const { cwd, env } = runOptions;
      return runProgram(bodies, call({ program, args, cwd, env }), runOptions);
    },
    spawnStream: (program, args, { cwd, env } = {}) => spawn({ program, args, cwd, env }),
    arrival: () => link.connected?.arrival,
    failure: () => link.failure,
    examine: (least) => link.examine(least),
    open: async () => (await link.open()).arrival,
    [Symbol.asyncDispose]: () => link[Symbol.asyncDispose](),
  };
}

/** The tools of a machine stay the same while it is known. */
function onceKnown(bodies: Bodies): () => Promise<StatTool> {
  let known: Promise<StatTool> | undefined;
  const ask = async (): Promise<StatTool> => {
    const limits = { timeoutMs: TOOLS_MS, outputBytesMax: 4096, excess: 'drop' } as const;
    const end = await bodies.run(WHICH_STAT, { limits, program: 'stat' });
    return whichStat(end.stdout.toString());
  };
  return () => {
    known ??= ask().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
