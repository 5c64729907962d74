/**
 * Answers the hook at the end of a turn: refuses it, at most twice an attempt, while the task of a run has no valid result. A turn that leaves
 * work in the background has not ended, so it is let go.
 */
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OWED_FILE, readOwed, readResult, refusalText, RESULT_LIMITS, resultFileName } from '@drover/protocol/results';

/** Refusals in an attempt; then the end of the turn stands, and Drover asks once by a typed prompt. */
const REFUSALS_MAX = 2;

/**
 * @param text The program's event, as JSON.
 * @param directory The worker's directory of results; undefined outside of a worker's session.
 * @returns output for stdout; empty if the turn may end.
 */
export function answerStop(text: string, directory: string | undefined): string {
  if (directory === undefined || directory === '' || hasBackgroundWork(text)) return '';
  const owed = readOwed(readFileSync(join(directory, OWED_FILE), 'utf8'));
  if (owed === null) return '';
  const problems = problemsIn(join(directory, resultFileName(owed)), (found) => readResult(found, owed));
  if (problems.length === 0) return '';
  const counter = join(directory, `${owed.attempt}.refused`);
  if (sizeOf(counter) >= REFUSALS_MAX) return '';
  // Counts before it refuses: where nothing can be counted, nothing is refused.
  appendFileSync(counter, 'x', { mode: 0o600 });
  return JSON.stringify({ decision: 'block', reason: refusalText(problems, owed) });
}

function problemsIn(path: string, read: (text: string) => ReturnType<typeof readResult>): readonly string[] {
  const bytes = sizeOf(path);
  if (bytes === 0) return ['the result'];
  if (bytes > RESULT_LIMITS.bytes) return [`a result of at most ${RESULT_LIMITS.bytes} bytes`];
  const found = read(readFileSync(path, 'utf8'));
  return found.kind === 'valid' ? [] : found.problems;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Tells whether the program says that work of the turn runs on, such as Claude Code 2.1.145 does. */
function hasBackgroundWork(text: string): boolean {
  try {
    const payload = JSON.parse(text) as {
      readonly background_tasks?: unknown;
      readonly session_crons?: unknown;
    } | null;
    return [payload?.background_tasks, payload?.session_crons].some((list) => Array.isArray(list) && list.length > 0);
  } catch {
    return false;
  }
}
