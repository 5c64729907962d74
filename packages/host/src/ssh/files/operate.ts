/** Turns an operation on a file into one line of a shell, and its failure into an error of the system. */
import type { Bodies } from '../run-body.ts';
import { fencedBody } from '../shell/lines.ts';
import { line } from '../shell/quote.ts';
import type { Limits } from '../shell/warm-shell.ts';
import type { StatTool } from './stat-tool.ts';
import { SystemError } from './system-error.ts';

/** Milliseconds for one operation. */
const FILE_MS = 60_000;
/** Bytes of one answer, above any file that Drover reads whole. */
const BYTES_MAX = 64 * 1024 * 1024;

export interface FileTools {
  readonly bodies: Bodies;
  readonly statTool: () => Promise<StatTool>;
  /** A name that no file has. */
  readonly newName: () => string;
}

/** Operation, for its error. */
export interface Operation {
  readonly name: string;
  readonly path: string;
  readonly input?: string | Uint8Array;
}

/** Runs an operation. @returns what it printed. @throws SystemError in the system's words. */
export async function operate(bodies: Bodies, { name, path, input }: Operation, body: Buffer): Promise<Buffer> {
  const limits: Limits = { timeoutMs: FILE_MS, outputBytesMax: BYTES_MAX, excess: 'kill' };
  // The shell has the C locale for itself; here its tools get it too, for the words of their errors.
  const whole = fencedBody(line`export LC_ALL; ${body}`);
  const end = await bodies.run(whole, {
    limits,
    program: `${name} ${path}`,
    ...(input === undefined ? {} : { input }),
  });
  if (end.kind === 'stopped') throw new SystemError(name, path, `it was stopped: ${end.why}`);
  if (end.note !== undefined) throw new SystemError(name, path, 'another gateway serves this machine now');
  if (end.status !== 0) throw new SystemError(name, path, end.stderr.toString());
  return end.stdout;
}

/** @returns undefined where the error says that nothing is there. */
export async function absent<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof SystemError && error.isAbsence) return undefined;
    throw error;
  }
}
