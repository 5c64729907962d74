/**
 * Simulates what agents use for their tasks: each step of a program costs tokens. The machine keeps the records; each life of its agent tells them
 * as the real one does (apps/machine-agent/src/conversation/usage-watch.ts): while agents work, and before the end of a turn is judged.
 */
import type { RunItem } from '@drover/core';
import type { Stores } from '@drover/machine-agent/testing';
import type { SimProgram } from '@drover/testkit';
import type { AgentProcess } from '../agent-process.ts';
import type { Link } from '../link.ts';

/** Tokens of one step of a program: a word that it says, or the begin or end of a turn. */
export const STEP_TOKENS = 1_000;
/** Milliseconds between two looks at the records. */
const READ_EVERY_MS = 2_000;
/** Growth that is told while a turn goes on. */
const TOLD_GROWTH = 1.05;

/** Task that a worker was told last, or the attempt at an item of a run. */
interface Begun {
  readonly task: string;
  readonly of: RunItem | null;
}

/** Use of a worker for its task since it was told of it. */
interface Record extends Begun {
  readonly since: number;
  readonly tokens: number;
}

/** Use that an agent has just had. */
export interface Used extends Begun {
  readonly workerId: string;
  readonly tokens: number;
}

/** The records of programs on one machine. */
export class UsageRecords {
  readonly #now: () => number;
  readonly #used: (used: Used) => void;
  readonly #records = new Map<string, Record>();
  /** Steps of each worker's present program that are counted. */
  readonly #counted = new Map<string, { readonly incarnation: string; readonly steps: number }>();

  constructor(now: () => number, used: (used: Used) => void) {
    this.#now = now;
    this.#used = used;
  }

  get workers(): readonly string[] {
    return [...this.#records.keys()];
  }

  of(workerId: string): Record | undefined {
    return this.#records.get(workerId);
  }

  /** A worker is told of a task, or again of the same. */
  begins(workerId: string, { task, of }: Begun): void {
    const known = this.#records.get(workerId);
    if (known?.task === task && JSON.stringify(known.of) === JSON.stringify(of)) return;
    this.#records.set(workerId, { task, of, since: this.#now(), tokens: 0 });
  }

  /** Counts the steps of a program since it was looked at last. */
  changed(workerId: string, { incarnation, progress }: SimProgram): void {
    const before = this.#counted.get(workerId);
    const steps = progress - (before?.incarnation === incarnation ? before.steps : 0);
    this.#counted.set(workerId, { incarnation, steps: progress });
    const record = this.#records.get(workerId);
    if (record === undefined || steps <= 0) return;
    const tokens = steps * STEP_TOKENS;
    this.#records.set(workerId, { ...record, tokens: record.tokens + tokens });
    this.#used({ workerId, task: record.task, of: record.of, tokens });
  }
}

interface TellerParts {
  readonly records: UsageRecords;
  readonly process: AgentProcess;
  readonly link: Link;
  readonly outbox: Stores['outbox'];
}

/** Tells what is used, in one life of the machine's agent. */
export class SimUsageTeller {
  readonly #parts: TellerParts;
  /** Newest report on each worker, and the record that it was about. */
  readonly #told = new Map<string, { readonly since: number; readonly tokens: number }>();

  constructor(parts: TellerParts) {
    this.#parts = parts;
  }

  start(): void {
    const { process, records } = this.#parts;
    process.after(READ_EVERY_MS, () => {
      for (const workerId of records.workers) void this.tell(workerId, { isOver: false });
      this.start();
    });
  }

  /** Tells the newest sum, if it is news. What cannot be read is told later. */
  async tell(workerId: string, { isOver }: { readonly isOver: boolean }): Promise<void> {
    const { records, link, outbox } = this.#parts;
    const record = await link.carry(() => records.of(workerId), 'read').catch(() => undefined);
    if (record === undefined) return;
    const { task, of, since, tokens } = record;
    const known = this.#told.get(workerId);
    const told = known?.since === since ? known.tokens : 0;
    if (tokens <= told || (!isOver && tokens < told * TOLD_GROWTH)) return;
    const item = of === null ? undefined : { runId: of.runId, item: of.item, attempt: of.attempt };
    const usage = { input: tokens, cached: 0, output: 0, money: null };
    outbox.add({ kind: 'usage', workerId, task, since: Math.round(since), of: item, workedMs: 0, usage });
    this.#told.set(workerId, { since, tokens });
  }
}
