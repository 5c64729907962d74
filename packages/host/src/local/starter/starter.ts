/**
 * Starts programs for a large process, from a small process beside it, its starter. Linux copies the tables of a process' memory for each program
 * that it starts: a machine agent spent more time on that than `git` on its work (docs/adr/0027-one-package-and-small-processes.md).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { HostError } from '../../errors.ts';
import type { RunOptions, RunOutcome } from '../../host.ts';
import { aborted, isAborted, runProgram } from '../run-program.ts';
import type { Program } from '../start-program.ts';
import type { Answer, Wish } from './messages.ts';

/**
 * Programs that a process starts by itself. The start of a starter costs about as much as it saves with so many
 * (docs/adr/0027-one-package-and-small-processes.md).
 */
const OWN_PROGRAMS = 100;

/** Bytes of input from which a program is started without it: to copy them would cost more. */
const INPUT_BYTES_MAX = 1024 * 1024;

/** Path of the starter in the sources, and in the packed program. */
const ENTRY = ['main.ts', '../starter.js']
  .map((place) => fileURLToPath(new URL(place, import.meta.url)))
  .find((place) => existsSync(place));

/**
 * V8 without its compilers, which take 10 MB of a process that only passes bytes on; it starts 300 programs in no more of the processor's
 * time. The sources cannot be read so: Node strips their types with WebAssembly.
 */
const SMALL = ['--max-semi-space-size=1', ...(ENTRY?.endsWith('.js') === true ? ['--lite-mode'] : [])];

/** Callbacks of a waiting caller: how its program ended, or why that is not known. */
interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** A process that starts programs for this one. */
interface Starter {
  readonly child: ChildProcess;
  readonly waiting: Map<number, Waiting>;
}

let programs = 0;
let starter: Starter | undefined;

/**
 * Runs a program, here or in the starter.
 *
 * @throws HostError as {@link runProgram} does, and `connection-lost` when the starter died meanwhile.
 */
export async function runThroughStarter(wanted: Program, options: RunOptions): Promise<RunOutcome> {
  programs += 1;
  const isSmall = (options.input?.length ?? 0) <= INPUT_BYTES_MAX;
  if (process.platform !== 'linux' || ENTRY === undefined || programs <= OWN_PROGRAMS || !isSmall)
    return runProgram(wanted, options);
  if (isAborted(options)) throw aborted(wanted.program, options.signal);
  starter ??= start(ENTRY);
  return runIn(starter, { id: programs, wanted, options });
}

function start(entry: string): Starter {
  // The starter gets a process group of its own: a terminal's Ctrl-C is for this process, which may still need it.
  const child = fork(entry, {
    cwd: '/',
    detached: true,
    execArgv: SMALL,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const waiting: Starter['waiting'] = new Map();
  const made: Starter = { child, waiting };
  const lose = (cause: unknown): void => {
    if (starter === made) starter = undefined;
    for (const { reject } of waiting.values()) reject(cause);
  };
  child.on('message', (message) => {
    // The message is ours, and of the same build.
    const answer = message as Answer;
    waiting.get(answer.id)?.resolve(answer);
  });
  child.on('error', lose);
  child.on('exit', (status, signal) => lose(new Error(`it ended with ${signal ?? status}`)));
  // An idle one keeps no process from its end.
  child.unref();
  child.channel?.unref();
  return made;
}

async function runIn(
  { child, waiting }: Starter,
  { id, wanted, options }: { readonly id: number; readonly wanted: Program; readonly options: RunOptions },
): Promise<RunOutcome> {
  const { cwd: _cwd, env: _env, signal, ...limits } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const say = (wish: Wish): void => void child.send(wish, (error) => error !== null && reject(error));
  const stop = (): void => say({ kind: 'stop', id });
  waiting.set(id, { resolve, reject });
  child.channel?.ref();
  signal?.addEventListener('abort', stop);
  try {
    say({ kind: 'run', id, wanted: { ...wanted, cwd: wanted.cwd ?? process.cwd() }, limits });
    return outcomeOf(await lostAs(wanted, promise), wanted, signal);
  } finally {
    signal?.removeEventListener('abort', stop);
    waiting.delete(id);
    if (waiting.size === 0) child.channel?.unref();
  }
}

async function lostAs({ program }: Program, promise: Promise<Answer>): Promise<Answer> {
  try {
    return await promise;
  } catch (cause) {
    const message = `The process that runs "${program}" died: what the program has done is not known`;
    throw new HostError('connection-lost', message, { program, cause });
  }
}

function outcomeOf(answer: Answer, { program }: Program, signal: AbortSignal | undefined): RunOutcome {
  if ('outcome' in answer) {
    const bytes = Buffer.from(answer.outcome.stdoutBytes);
    return { ...answer.outcome, stdoutBytes: bytes, stdout: bytes.toString() };
  }
  const { code, message } = answer.refused;
  throw code === 'aborted' ? aborted(program, signal) : new HostError(code, message, { program });
}
