/**
 * Tells what attempts at items of runs use, as their programs record it: now and then while an agent works, and before the end of its turn is judged.
 *
 * Little news is not told, so that hours of work are some hundred reports: the sum has grown by a twentieth, or the turn is over.
 */
import type { LocalClock, Log } from '@drover/base';
import type { Usage } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import type { Cages } from '../cage/cages.ts';
import type { UsageTeller } from '../execute/ports.ts';
import type { Panes } from '../panes/panes.ts';
import { readBegun, resultsOf, type Begun } from '../signals/results.ts';
import type { Outbox } from '../store/outbox.ts';
import { findSource, findSubagents, type SourceContext } from './sources.ts';
import { countIn, sumOf, type Counted } from './usage.ts';

/** Milliseconds between two readings of the records of agents that work. */
const READ_EVERY_MS = 2_000;
/** Growth of the sum of tokens that is told while a turn goes on: budgets hold to about this share. */
const TOLD_GROWTH = 1.05;

interface UsageWatchOptions extends Omit<SourceContext, 'settings' | 'home'> {
  readonly cages: Pick<Cages, 'homeOf'>;
  readonly panes: Pick<Panes, 'atWork'>;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly clock: LocalClock;
  readonly log: Log;
}

/** Count of one attempt, and what was told of it. */
interface Told extends Counted {
  readonly attempt: string;
  told: Usage | null;
}

export class UsageWatch implements UsageTeller, Disposable {
  readonly #options: UsageWatchOptions;
  readonly #counts = new Map<string, Told>();
  #cancel: () => void = () => {};
  #isOver = false;

  constructor(options: UsageWatchOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#isOver) return;
    this.#cancel = this.#options.clock.after(READ_EVERY_MS, () => void this.#readAll().then(() => this.start()));
  }

  /** @param least Growth that counts as news. */
  async tell(settings: WorkerSettings, least = 1): Promise<void> {
    const { host, machineDir, outbox, log } = this.#options;
    const { workerId } = settings;
    try {
      const begun = await readBegun(host, resultsOf(machineDir, workerId));
      if (begun === null) return;
      const counted = this.#countOf(workerId, begun);
      await this.#count(settings, begun, counted);
      const sum = sumOf(counted.answers.values());
      if (sum === null || !isNews(sum, counted.told, least)) return;
      counted.told = sum;
      const { runId, item, attempt } = begun.of;
      outbox.add({ kind: 'usage', workerId, of: { runId, item, attempt }, usage: sum });
    } catch (error) {
      log('debug', `Cannot read what the agent of ${workerId} uses: ${String(error)}`);
    }
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#cancel();
  }

  async #readAll(): Promise<void> {
    const { panes, knownWorkers } = this.#options;
    const workers = new Set(
      panes.atWork.flatMap((incarnation) => knownWorkers.incarnationOf(incarnation)?.workerId ?? []),
    );
    for (const id of this.#counts.keys()) if (knownWorkers.settingsOf(id) === undefined) this.#counts.delete(id);
    for (const workerId of workers) {
      const settings = knownWorkers.settingsOf(workerId);
      if (settings !== undefined) await this.tell(settings, TOLD_GROWTH);
    }
  }

  #countOf(workerId: string, { of, at }: Begun): Told {
    const attempt = `${JSON.stringify(of)} ${at}`;
    const known = this.#counts.get(workerId);
    if (known?.attempt === attempt) return known;
    const fresh = { attempt, read: new Map(), answers: new Map(), told: null };
    this.#counts.set(workerId, fresh);
    return fresh;
  }

  async #count(settings: WorkerSettings, { at }: Begun, counted: Counted): Promise<void> {
    const context = { ...this.#options, settings, home: this.#options.cages.homeOf(settings) };
    const source = await findSource(context);
    if (source === null) return;
    for (const one of [source, ...(await findSubagents(context, source))]) await countIn(one, at, counted);
  }
}

function isNews(sum: Usage, told: Usage | null, least: number): boolean {
  if (told === null) return true;
  if (least === 1) return JSON.stringify(sum) !== JSON.stringify(told);
  return tokensOf(sum) >= tokensOf(told) * least || (sum.money ?? 0) > (told.money ?? 0) * least;
}

function tokensOf({ input, output }: Usage): number {
  return input + output;
}
