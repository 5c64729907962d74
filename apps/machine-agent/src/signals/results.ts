/**
 * Keeps the directory in which the agent of a run's task leaves its result. The program can write there, and anybody with its rights: what is
 * read is bounded, never through a link, checked and redacted.
 */
import { join } from 'node:path';
import type { ResultSeen, RunItem } from '@drover/core';
import { shellWord, RESULT_LIMITS } from '@drover/core';
import type { Files } from '@drover/host';
import {
  checkReplaced,
  OWED_FILE,
  readOwed,
  readResult,
  resultFileName,
  storableJson,
  type Redactor,
} from '@drover/protocol';

/** Directory of a worker's results. */
export function resultsOf(machineDir: string, workerId: string): string {
  return join(machineDir, 'hooks', `${workerId}.results`);
}

/**
 * Prepares the directory for a start of the program. Nothing is owed until a text says so: a program that is started for a task of its own is
 * not asked for the result of the task before.
 */
export async function openResults(
  disk: Files,
  directory: string,
  hookCommand: readonly string[] | null,
): Promise<void> {
  await disk.mkdir(directory);
  if (hookCommand !== null) await writeCommand(disk, directory, hookCommand);
  await disk.removeFile(join(directory, OWED_FILE));
}

/** Bytes of a file that names an attempt. */
const OWED_BYTES_MAX = 4 * 1024;

/** File beside the directory, which no agent writes: the task that was told last. The time of the file is its begin. */
export function begunFile(directory: string): string {
  return `${directory}.begun`;
}

/** File beside the directory, which no agent writes: the records of the conversations that the present task has had. */
export function recordsFile(directory: string): string {
  return `${directory}.records`;
}

/** Task that a worker was told last, or the attempt at an item of a run. `at`: its begin, by the clock of the machine with the files. */
export interface Begun {
  readonly task: string;
  /** Null: a task of its own. */
  readonly of: RunItem | null;
  readonly at: number;
}

/** @returns null if the worker was told of none. */
export async function readBegun(disk: Pick<Files, 'readRange'>, directory: string): Promise<Begun | null> {
  const read = await disk.readRange(begunFile(directory), { from: 0, bytesMax: OWED_BYTES_MAX });
  if (read === undefined) return null;
  const text = Buffer.from(read.bytes).toString('utf8');
  const [task = '', item = ''] = text.split('\n');
  return { task, of: readOwed(item), at: read.modifiedAt };
}

/** Notes that a worker is told of a task, or of an attempt. A program that is started again within it goes on with it. */
export async function noteBegun(
  disk: Pick<Files, 'readRange' | 'writeFile' | 'mkdir'>,
  directory: string,
  { task, of }: Omit<Begun, 'at'>,
): Promise<void> {
  const known = await readBegun(disk, directory);
  const item = of === null ? null : owedOf(of);
  if (known?.task === task && JSON.stringify(known.of) === JSON.stringify(item)) return;
  await disk.mkdir(directory);
  await disk.writeFile(begunFile(directory), `${task}\n${item === null ? '' : JSON.stringify(item)}\n`);
}

/** The part of a disk that keeps what is owed. */
type OwedFiles = Pick<Files, 'mkdir' | 'readdir' | 'readRange' | 'removeTree' | 'writeFile'>;

/**
 * Says in a file what the agent owes, before it is told: `drover result` and the hook of the turn's end read it. Everything that was there for
 * another attempt goes, so that no older result can be taken for one of this. Safe to repeat.
 */
export async function layOutResult(disk: OwedFiles, directory: string, owed: RunItem): Promise<void> {
  const path = join(directory, OWED_FILE);
  const text = `${JSON.stringify(owedOf(owed))}\n`;
  const isSame = (known: RunItem | null): boolean => known !== null && `${JSON.stringify(known)}\n` === text;
  const before = await disk.readRange(path, { from: 0, bytesMax: OWED_BYTES_MAX });
  if (before !== undefined && isSame(readOwed(Buffer.from(before.bytes).toString('utf8')))) return;
  // The directory stays: a cage has it mounted.
  await disk.mkdir(directory);
  for (const { name } of (await disk.readdir(directory)) ?? [])
    if (name !== COMMAND) await disk.removeTree(join(directory, name));
  await disk.writeFile(path, text);
}

function owedOf({ runId, item, attempt, returns }: RunItem): RunItem {
  return { runId, item, attempt, returns };
}

/** Name of the command for agents. */
const COMMAND = 'drover';

/**
 * Writes the command `drover` that starts this very Drover into a directory. The directory of results has one too: a login shell, as Codex uses,
 * has a PATH of its own.
 */
export async function writeCommand(disk: Files, directory: string, hookCommand: readonly string[]): Promise<void> {
  const words = hookCommand.slice(0, -1).map(shellWord);
  await disk.mkdir(directory);
  await disk.writeFile(join(directory, COMMAND), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o700 });
}

/** Characters of what is wrong with a result: a coordinator reads more, but no agent needs them. */
const PROBLEM_CHARS_MAX = 4_000;

/** Reads the result of an item. `offsetMs`: how far the clock of the files is ahead of this machine's. */
export async function readResultFile(
  disk: Pick<Files, 'lstat' | 'readRange'>,
  directory: string,
  { owed, redactor, offsetMs }: { readonly owed: RunItem; readonly redactor: Redactor; readonly offsetMs: number },
): Promise<ResultSeen> {
  const path = join(directory, resultFileName(owed));
  const there = await disk.lstat(path);
  if (there === undefined) return { kind: 'none' };
  if (there.kind !== 'file') return invalid(`"${resultFileName(owed)}" is no file: write it anew, with no link`);
  const read = await disk.readRange(path, { from: 0, bytesMax: RESULT_LIMITS.bytes + 1 });
  if (read === undefined) return invalid(`"${resultFileName(owed)}" cannot be read`);
  if (read.size > RESULT_LIMITS.bytes)
    return invalid(`the file has ${read.size} bytes, and at most ${RESULT_LIMITS.bytes} are read`);
  const text = textOf(read.bytes);
  if (text === null) return invalid('the file is not text in UTF-8');
  const found = readResult(text, owed);
  const sent = (value: unknown): unknown => JSON.parse(storableJson(redactor.json(value)));
  const refusedWith = (problems: readonly string[]): ResultSeen =>
    invalid(String(sent(problems.join('; '))).slice(0, PROBLEM_CHARS_MAX));
  if (found.kind === 'invalid') return refusedWith(found.problems);
  // Measured as it is sent: a coordinator would read none of a result that grew past its limits.
  const checked = checkReplaced(sent(found.result));
  if (checked.kind === 'invalid') return refusedWith(checked.problems);
  const at = Math.max(0, Math.round(read.modifiedAt - offsetMs));
  return { kind: 'given', attempt: owed.attempt, at, result: checked.result };
}

function invalid(problem: string): ResultSeen {
  return { kind: 'invalid', problem };
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
