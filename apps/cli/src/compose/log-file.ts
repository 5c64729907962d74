/**
 * The log of a process in files of the data directory, for the morning after: `NAME.log` has every line as JSON,
 * `NAME.errors.log` warnings and errors alone. Each process has a name of its own, so that no two processes rotate the
 * same file. A full file becomes `.1`, the previous `.1` becomes `.2`, and so on; the oldest is removed.
 */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '@drover/base';

/** Bytes of a file, and the number of files kept beside the present one: a week of a busy fleet, and never more than 50 MiB for each log. */
const FILE_BYTES_MAX = 10 * 1024 ** 2;
const KEPT = 4;

/** A line of a log. `at` is epoch milliseconds. */
export interface LogLine {
  readonly at: number;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** The place of the files, and their maximum size. */
export interface LogFileOptions {
  readonly directory: string;
  /** Name of the process: `up`, `coordinator`, `agent` or `bot`. */
  readonly name: string;
  readonly bytesMax?: number;
  readonly kept?: number;
}

/**
 * Writes lines to the files. A full disk or a closed directory ends the writing, with one message to `failed`: the log
 * on the terminal goes on, and so does the work.
 */
export function openLogFiles(
  { directory, name, bytesMax = FILE_BYTES_MAX, kept = KEPT }: LogFileOptions,
  failed: (why: string) => void,
): (line: LogLine) => void {
  const files = { all: path.join(directory, `${name}.log`), errors: path.join(directory, `${name}.errors.log`) };
  const sizes = new Map<string, number>();
  let isBroken = false;
  const append = (file: string, text: string): void => {
    const size = sizes.get(file) ?? sizeOf(file);
    const isFull = size > 0 && size + Buffer.byteLength(text) > bytesMax;
    if (isFull) rotate(file, kept);
    appendFileSync(file, text, { mode: 0o600 });
    sizes.set(file, (isFull ? 0 : size) + Buffer.byteLength(text));
  };
  return ({ at, level, message, fields }) => {
    if (isBroken) return;
    const text = `${JSON.stringify({ at: new Date(at).toISOString(), level, message, ...fields })}\n`;
    try {
      if (sizes.size === 0) mkdirSync(directory, { recursive: true, mode: 0o700 });
      append(files.all, text);
      if (level === 'warn' || level === 'error') append(files.errors, text);
    } catch (error) {
      isBroken = true;
      failed(`The log cannot be written to ${directory}: ${messageOf(error)}`);
    }
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function rotate(file: string, kept: number): void {
  for (let number = kept; number >= 1; number -= 1) {
    const from = number === 1 ? file : `${file}.${number - 1}`;
    if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${file}.${number}`);
  }
}
