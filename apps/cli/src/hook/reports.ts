/** Keeps a worker's tool failures in one file of short lines, for the machine agent and for counting them. */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { ToolFailureReport } from '@drover/core/tool-failures';

/** Bytes at the end of the file in which failures are counted: some hundreds of them. */
const COUNTED_BYTES = 128 * 1024;
/** Bytes beyond which nothing is added: the machine agent begins a new file with the next start of the program. */
const FILE_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Reads the newest reports, has another report made of them, and adds it. Two hooks at once may count the same previous
 * failures; neither loses its own, because a line is added in one write.
 *
 * @param make Makes the report, or null for none.
 * @throws on a full or read-only disk, and if the file would become too large: then nothing may be promised.
 */
export function addReport<T>(
  path: string,
  make: (before: readonly ToolFailureReport[]) => { readonly report: ToolFailureReport | null; readonly answer: T },
): T {
  const file = openSync(path, 'a+', 0o600);
  try {
    const { size } = fstatSync(file);
    const { report, answer } = make(newestReports(file, size));
    if (report === null) return answer;
    const line = Buffer.from(`${JSON.stringify(report)}\n`);
    if (size + line.length > FILE_BYTES_MAX) throw new Error(`"${path}" is full`);
    if (writeSync(file, line) !== line.length) throw new Error(`only a part of a line was written to "${path}"`);
    return answer;
  } finally {
    closeSync(file);
  }
}

function newestReports(file: number, size: number): readonly ToolFailureReport[] {
  const from = Math.max(0, size - COUNTED_BYTES);
  const buffer = Buffer.alloc(size - from);
  const lines = buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, from)).split('\n');
  return lines.flatMap((line) => reportIn(line));
}

/** Parses a line; a cut or foreign line counts for nothing. */
function reportIn(line: string): readonly ToolFailureReport[] {
  try {
    const value: unknown = JSON.parse(line);
    return isReport(value) ? [value] : [];
  } catch {
    return [];
  }
}

/** Checks the fields that are counted; the machine agent checks the rest before it reports to anybody. */
function isReport(value: unknown): value is ToolFailureReport {
  if (typeof value !== 'object' || value === null || !('action' in value)) return false;
  const { action } = value;
  return 'at' in value && 'operation' in value && typeof action === 'object' && action !== null && 'kind' in action;
}
