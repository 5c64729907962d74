/** Runs programs on a machine that is reached by a connection. */
import { HostError } from '../errors.ts';
import type { ProgramRunner, RunOptions, RunOutcome } from '../host.ts';
import type { Bodies } from './run-body.ts';
import { type Note, type ProgramCall, programBody, whyNotBody } from './shell/lines.ts';
import { signalOf } from './shell/signals.ts';
import type { CommandEnd, Limits } from './shell/warm-shell.ts';

/** Default for the bytes kept of each output, as on the local machine. */
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
/** Milliseconds for the question why a program did not start. */
const WHY_MS = 10_000;

/** Runs a program to its end. */
export async function runProgram(
  bodies: Bodies,
  wanted: ProgramCall,
  options: RunOptions,
): ReturnType<ProgramRunner['run']> {
  const { program } = wanted;
  if (options.signal?.aborted === true) throw aborted(program, options.signal);
  const limits: Limits = {
    timeoutMs: options.timeoutMs,
    signal: options.signal,
    outputBytesMax: options.outputBytesMax ?? OUTPUT_BYTES_MAX,
    excess: options.excess ?? 'kill',
  };
  const end = await bodies.run(programBody(wanted), { limits, input: options.input, program });
  if (end.kind === 'stopped') return stopped(program, end, limits);
  if (end.note !== undefined) throw notStarted(wanted, end.note);
  if (end.status === 126 || end.status === 127) await throwIfNotStarted(bodies, wanted);
  const signal = signalOf(end.status);
  return outcome(end, { status: signal === undefined ? end.status : undefined, signal, timedOut: false });
}

function stopped(program: string, end: Extract<CommandEnd, { kind: 'stopped' }>, limits: Limits): RunOutcome {
  switch (end.why) {
    case 'aborted':
      throw aborted(program, limits.signal);
    case 'too-large': {
      const message = `"${program}" wrote more than ${limits.outputBytesMax} bytes and was killed`;
      throw new HostError('output-too-large', message, { program });
    }
    case 'timed-out':
      return outcome(end, { status: undefined, signal: 'SIGKILL', timedOut: true });
    default:
      return end.why satisfies never;
  }
}

function outcome(
  { stdout, stderr }: { readonly stdout: Buffer; readonly stderr: Buffer },
  end: Pick<RunOutcome, 'status' | 'signal' | 'timedOut'>,
): RunOutcome {
  return { ...end, stdoutBytes: stdout, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** A status of 126 or 127 is the shell's when it starts nothing, and may be the program's own. */
async function throwIfNotStarted(bodies: Bodies, wanted: ProgramCall): Promise<void> {
  const limits: Limits = { timeoutMs: WHY_MS, outputBytesMax: 1024, excess: 'drop' };
  const end = await bodies.run(whyNotBody(wanted), { limits, program: wanted.program });
  if (end.kind === 'ended' && end.note !== undefined) throw notStarted(wanted, end.note);
}

/** The shell's word for what it did not do. */
export function notStarted({ program, cwd }: ProgramCall, note: Note): HostError {
  switch (note) {
    case 'cwd-missing':
      return new HostError(note, `Cannot run "${program}" in "${cwd}": there is no such directory`, { program });
    case 'program-missing':
      return new HostError(note, `Cannot run "${program}": it was not found. Install it or correct PATH`, { program });
    case 'not-executable':
      return new HostError(note, `Cannot run "${program}": the file may not be executed`, { program });
    case 'fenced':
      return new HostError(note, `Cannot run "${program}": another gateway serves this machine now`, { program });
    case 'go':
      return new HostError('spawn-failed', `Cannot run "${program}": the machine did not start it`, { program });
    default:
      return note satisfies never;
  }
}

function aborted(program: string, signal: AbortSignal | undefined): HostError {
  const message = `"${program}" was stopped because its caller gave up`;
  return new HostError('aborted', message, { program, cause: signal?.reason });
}
