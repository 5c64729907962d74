/**
 * Which tools failed, as `drover hook` wrote down? Each line is told once: how far the file was read is remembered in the same
 * step as what is told of it.
 */
import { toolFailureReport } from '@drover/protocol';
import type { AgentDatabase } from '../store/database.ts';
import type { Outbox } from '../store/outbox.ts';
import { openRecord } from './open-record.ts';
import { parsedLine } from './transcript.ts';

/** Bytes read at once; what is more comes with the next reading. */
const READ_BYTES = 256 * 1024;

/** A life of a worker's pane, and its file. */
export interface FailuresOf {
  readonly workerId: string;
  readonly incarnation: string;
  /** When the life began, epoch milliseconds: what is older belongs to an earlier one. */
  readonly openedAt: number;
  readonly path: string;
}

/** Reads the files of failures. */
export class ToolFailures {
  readonly #db: AgentDatabase;
  readonly #outbox: Outbox;
  readonly #reading = new Set<string>();

  constructor(db: AgentDatabase, outbox: Outbox) {
    this.#db = db;
    this.#outbox = outbox;
  }

  /** Tells what is new in a file. While one reading of a worker's file is under way, another does nothing: its hint is kept by the caller. */
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

  /** @returns whether there may be more. */
  async #tellSome({ workerId, incarnation, openedAt, path }: FailuresOf): Promise<boolean> {
    const fact = `tool-failures:${workerId}`;
    const told = Number(this.#db.maybeFact(fact) ?? 0);
    const { from, lines, isMore } = await wholeLines(path, told);
    if (lines.length === 0) return false;
    this.#db.transaction(() => {
      for (const line of lines.toString('utf8').split('\n')) {
        const report = toolFailureReport.safeParse(parsedLine(line));
        if (!report.success) continue;
        const life = report.data.at >= openedAt ? incarnation : null;
        this.#outbox.add({ kind: 'tool-failed', workerId, incarnation: life, report: report.data });
      }
      this.#db.setFact(fact, String(from + lines.length));
    });
    return isMore;
  }
}

/** The whole lines after an offset; from the start of a file that is shorter than it was, because a new one was begun. */
async function wholeLines(path: string, offset: number): Promise<{ from: number; lines: Buffer; isMore: boolean }> {
  const file = await openRecord(path);
  if (file === undefined) return { from: 0, lines: Buffer.alloc(0), isMore: false };
  try {
    const { size } = await file.stat();
    const from = size < offset ? 0 : offset;
    const buffer = Buffer.alloc(Math.min(READ_BYTES, size - from));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
    const end = buffer.lastIndexOf(10, bytesRead - 1) + 1;
    // A line that fills all of it is none of ours: it is passed over.
    const isMore = from + bytesRead < size;
    const kept = end > 0 || !isMore ? buffer.subarray(0, end) : buffer.subarray(0, bytesRead);
    return { from, lines: kept, isMore };
  } finally {
    await file.close();
  }
}
