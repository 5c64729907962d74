/**
 * Tells what attempts at items of runs use, as their programs record it: now and then while an agent works, and before the end of its turn is judged.
 * Tells also what is left of the account that pays for it.
 *
 * Little news is not told, so that hours of work are some hundred reports: the sum has grown by a twentieth, or the turn is over.
 */
import type { LocalClock, Log } from '@drover/base';
import type { Quota, Usage } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import type { Cages } from '../cage/cages.ts';
import type { UsageTeller } from '../execute/ports.ts';
import type { Panes } from '../panes/panes.ts';
import { readBegun, resultsOf, type Begun } from '../signals/results.ts';
import type { Outbox } from '../store/outbox.ts';
import { readQuota } from './quota.ts';
import { findSource, findSubagents, type SourceContext } from './sources.ts';
import { countIn, sumOf, type Counted } from './usage.ts';

/** Milliseconds between two readings of the records of agents that work. */
const READ_EVERY_MS = 2_000;
/** Growth of the sum of tokens that is told while a turn goes on: budgets hold to about this share. */
const TOLD_GROWTH = 1.05;

/** Milliseconds after a reading in which limits are looked for again: a program tells its status line after the turn. */
const LATE_MS = 30_000;
/** Milliseconds after which limits that did not change are told again: people see how old the news is. */
const QUOTA_AGE_MS = 10 * 60_000;

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
  /** Limits that were told last, by worker. */
  readonly #quotas = new Map<string, Quota>();
  /** End of the time in which a worker's limits may still come, by worker. */
  readonly #late = new Map<string, number>();
  #cancel: () => void = () => {};
  #isOver = false;

  constructor(options: UsageWatchOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#isOver) return;
    this.#cancel = this.#options.clock.after(READ_EVERY_MS, () => void this.#readAll().then(() => this.start()));
  }

  /** @param least Growth of the use that counts as news. */
  async tell(settings: WorkerSettings, least = 1): Promise<void> {
    this.#late.set(settings.workerId, this.#options.clock.now() + LATE_MS);
    await this.#tellUsage(settings, least);
    await this.#tellQuota(settings);
  }

  async #tellUsage(settings: WorkerSettings, least: number): Promise<void> {
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
    for (const kept of [this.#counts, this.#quotas])
      for (const id of kept.keys()) if (knownWorkers.settingsOf(id) === undefined) kept.delete(id);
    for (const workerId of workers) {
      const settings = knownWorkers.settingsOf(workerId);
      if (settings !== undefined) await this.tell(settings, TOLD_GROWTH);
    }
    for (const [workerId, until] of this.#late) {
      const settings = knownWorkers.settingsOf(workerId);
      if (settings === undefined || until < this.#options.clock.now()) this.#late.delete(workerId);
      else if (!workers.has(workerId)) await this.#tellQuota(settings);
    }
  }

  async #tellQuota(settings: WorkerSettings): Promise<void> {
    const { knownWorkers, outbox, log } = this.#options;
    const { workerId, account = null } = settings;
    try {
      const last = knownWorkers.lastIncarnationOf(workerId);
      const quota = last === undefined ? null : await readQuota(this.#contextOf(settings), last.openedAt);
      const told = this.#quotas.get(workerId);
      if (quota === null || (told !== undefined && !isNewer(quota, told))) return;
      this.#quotas.set(workerId, quota);
      outbox.add({ kind: 'quota', workerId, account, quota });
    } catch (error) {
      log('debug', `Cannot read what is left of the account of ${workerId}: ${String(error)}`);
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
    const context = this.#contextOf(settings);
    const source = await findSource(context);
    if (source === null) return;
    for (const one of [source, ...(await findSubagents(context, source))]) await countIn(one, at, counted);
  }

  #contextOf(settings: WorkerSettings): SourceContext {
    return { ...this.#options, settings, home: this.#options.cages.homeOf(settings) };
  }
}

function isNews(sum: Usage, told: Usage | null, least: number): boolean {
  if (told === null) return true;
  if (least === 1) return JSON.stringify(sum) !== JSON.stringify(told);
  return tokensOf(sum) >= tokensOf(told) * least || (sum.money ?? 0) > (told.money ?? 0) * least;
}

/** Tells whether limits have changed, or stand as they were for so long that their age is news. */
function isNewer(quota: Quota, told: Quota): boolean {
  if (quota.at < told.at) return false;
  return JSON.stringify(quota.windows) !== JSON.stringify(told.windows) || quota.at - told.at >= QUOTA_AGE_MS;
}

function tokensOf({ input, output }: Usage): number {
  return input + output;
}
