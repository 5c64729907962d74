/**
 * Tells what attempts at items of runs use, as their programs record it: now and then while an agent works, and before the end of its turn is judged.
 * Tells also the limits of the account that pays for it.
 *
 * Little news is not told, so that hours of work are some hundred reports: the sum has grown by a twentieth, a limit by a percent, or the turn is over.
 */
import type { LocalClock, Log } from '@drover/base';
import { readsTheSame, toldAt, type Quota, type Usage } from '@drover/core';
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

/** Milliseconds between two looks for limits while an agent works, and until the last one: a program tells its status line after the turn. */
const QUOTA_EVERY_MS = 30_000;
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

/** Account with which the last program of a worker was started, and what was told of it. */
interface Payer {
  readonly openedAt: number;
  readonly account: string | null;
  told: Quota | null;
}

export class UsageWatch implements UsageTeller, Disposable {
  readonly #options: UsageWatchOptions;
  readonly #counts = new Map<string, Told>();
  readonly #payers = new Map<string, Payer>();
  /** Time of the next look for limits, by worker. */
  readonly #due = new Map<string, number>();
  #cancel: () => void = () => {};
  #isOver = false;

  constructor(options: UsageWatchOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#isOver) return;
    this.#cancel = this.#options.clock.after(READ_EVERY_MS, () => void this.#readAll().then(() => this.start()));
  }

  async tell(settings: WorkerSettings): Promise<void> {
    this.#due.set(settings.workerId, this.#options.clock.now() + QUOTA_EVERY_MS);
    await this.#tellUsage(settings, 1);
    await this.#tellQuota(settings);
  }

  /** @param least Growth of the use that counts as news. */
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
    const { panes, knownWorkers, clock } = this.#options;
    const workers = new Set(
      panes.atWork.flatMap((incarnation) => knownWorkers.incarnationOf(incarnation)?.workerId ?? []),
    );
    for (const kept of [this.#counts, this.#payers, this.#due])
      for (const id of kept.keys()) if (knownWorkers.settingsOf(id) === undefined) kept.delete(id);
    for (const workerId of workers) {
      const settings = knownWorkers.settingsOf(workerId);
      if (settings === undefined) continue;
      this.#payerOf(settings);
      if (!this.#due.has(workerId)) this.#due.set(workerId, clock.now() + QUOTA_EVERY_MS);
      await this.#tellUsage(settings, TOLD_GROWTH);
    }
    for (const [workerId, at] of this.#due) {
      if (at > clock.now()) continue;
      this.#due.delete(workerId);
      const settings = knownWorkers.settingsOf(workerId);
      if (settings !== undefined) await this.#tellQuota(settings);
    }
  }

  async #tellQuota(settings: WorkerSettings): Promise<void> {
    const { outbox, log } = this.#options;
    const { workerId } = settings;
    try {
      const payer = this.#payerOf(settings);
      const quota = payer === null ? null : await readQuota(this.#contextOf(settings), payer.openedAt);
      if (payer === null || quota === null || !isNewer(quota, payer.told)) return;
      payer.told = quota;
      outbox.add({ kind: 'quota', workerId, account: payer.account, quota });
    } catch (error) {
      log('debug', `Cannot read what is left of the account of ${workerId}: ${String(error)}`);
    }
  }

  /** The settings may name the next account before the next program is started. */
  #payerOf(settings: WorkerSettings): Payer | null {
    const { workerId, account = null } = settings;
    const last = this.#options.knownWorkers.lastIncarnationOf(workerId);
    if (last === undefined) return null;
    const known = this.#payers.get(workerId);
    if (known?.openedAt === last.openedAt) return known;
    const payer: Payer = { openedAt: last.openedAt, account, told: null };
    this.#payers.set(workerId, payer);
    return payer;
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
function isNewer(quota: Quota, told: Quota | null): boolean {
  if (told === null) return true;
  const age = toldAt(quota) - toldAt(told);
  return age >= QUOTA_AGE_MS || (age >= 0 && !readsTheSame(quota, told));
}

function tokensOf({ input, output }: Usage): number {
  return input + output;
}
