/**
 * Reports failed tools that `drover hook` wrote down. Each line is reported once: its position in the file is saved in the same step as its
 * report.
 */
import type { Files } from '@drover/host';
import type { ToolFailureReport } from '@drover/core/tool-failures';
import { toolFailureReport } from '@drover/protocol';
import type { AgentDatabase } from '../store/database.ts';
import { failuresTold } from '../store/known-workers.ts';
import type { Outbox } from '../store/outbox.ts';
import { parsedLine } from './transcript.ts';

/** Bytes read at once; the next reading takes the rest. */
const READ_BYTES = 256 * 1024;

/** Life of a worker's pane, and its file. */
export interface FailuresOf {
  readonly workerId: string;
  readonly incarnation: string;
  /** Start of the life: older failures belong to an earlier one. */
  readonly openedAt: number;
  /** Milliseconds by which the clock of the machine with the panes, whose times the file has, is ahead. */
  readonly offsetMs: number;
  readonly path: string;
}

/** Reads the files of failures. */
export class ToolFailures {
  readonly #disk: Files;
  readonly #db: AgentDatabase;
  readonly #outbox: Outbox;
  readonly #reading = new Set<string>();

  constructor(disk: Files, db: AgentDatabase, outbox: Outbox) {
    this.#disk = disk;
    this.#db = db;
    this.#outbox = outbox;
  }

  /** Reports new lines of a file. While one reading of a worker's file is under way, another does nothing: the caller keeps its hint. */
  async tell(failures: FailuresOf): Promise<void> {
    const { workerId } = failures;
    if (this.#reading.has(workerId)) return;
    this.#reading.add(workerId);
    try {
      while (await this.#tellSome(failures)) continue;
    } finally {
      this.#reading.delete(workerId);
    }
  }

  /** Reports some lines. @returns whether there may be more. */
  async #tellSome({ workerId, incarnation, openedAt, offsetMs, path }: FailuresOf): Promise<boolean> {
    const fact = failuresTold(workerId);
    const told = Number(this.#db.maybeFact(fact) ?? 0);
    const { from, lines, isMore } = await wholeLines(this.#disk, path, told);
    if (lines.length === 0) return false;
    this.#db.transaction(() => {
      for (const line of lines.toString('utf8').split('\n')) {
        const read = toolFailureReport.safeParse(parsedLine(line));
        if (!read.success) continue;
        const report = inOurTime(read.data, offsetMs);
        const life = report.at >= openedAt ? incarnation : null;
        this.#outbox.add({ kind: 'tool-failed', workerId, incarnation: life, report });
      }
      this.#db.setFact(fact, String(from + lines.length));
    });
    return isMore;
  }
}

/**
 * Converts times to this machine's clock: nobody else knows the clock of that machine, and an account is paused until a time that all machines
 * share.
 */
function inOurTime(report: ToolFailureReport, offsetMs: number): ToolFailureReport {
  const ours = (at: number): number => Math.max(0, at - offsetMs);
  const { at, action, pauseAccount } = report;
  return {
    ...report,
    at: ours(at),
    action: action.kind === 'retry' ? { ...action, notBefore: ours(action.notBefore) } : action,
    pauseAccount: pauseAccount === null ? null : { ...pauseAccount, until: ours(pauseAccount.until) },
  };
}

/** Whole lines after an offset; from the start of a file that has become shorter, because a new one was begun. */
async function wholeLines(
  disk: Files,
  path: string,
  offset: number,
): Promise<{ from: number; lines: Buffer; isMore: boolean }> {
  const read = async (at: number): ReturnType<Files['readRange']> =>
    disk.readRange(path, { from: at, bytesMax: READ_BYTES });
  let from = offset;
  let piece = await read(from);
  if (piece !== undefined && piece.size < offset) piece = await read((from = 0));
  if (piece === undefined) return { from: 0, lines: Buffer.alloc(0), isMore: false };
  const bytes = Buffer.from(piece.bytes);
  const end = bytes.lastIndexOf(10) + 1;
  // A line that fills the whole piece is none of ours: it is skipped.
  const isMore = from + bytes.length < piece.size;
  return { from, lines: end > 0 || !isMore ? bytes.subarray(0, end) : bytes, isMore };
}
