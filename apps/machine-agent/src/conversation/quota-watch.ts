/** Tells the limits of the accounts that pay for agents at work, when they have changed by a percent. */
import type { LocalClock, Log } from '@drover/base';
import { readsTheSame, toldAt, type Quota } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import type { Cages } from '../cage/cages.ts';
import type { Outbox } from '../store/outbox.ts';
import { readQuota } from './quota.ts';
import type { SourceContext } from './sources.ts';

/** Milliseconds between two looks for limits while an agent works, and until the last one: a program tells its status line after the turn. */
const QUOTA_EVERY_MS = 30_000;
/** Milliseconds after which limits that did not change are told again: people see how old the news is. */
const QUOTA_AGE_MS = 10 * 60_000;

export interface QuotaWatchOptions extends Omit<SourceContext, 'settings' | 'home'> {
  readonly cages: Pick<Cages, 'homeOf'>;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly clock: LocalClock;
  readonly log: Log;
}

/** Account with which the last program of a worker was started, and what was told of it. */
interface Payer {
  readonly openedAt: number;
  readonly account: string | null;
  told: Quota | null;
}

export class QuotaWatch {
  readonly #options: QuotaWatchOptions;
  readonly #payers = new Map<string, Payer>();
  /** Time of the next look for limits, by worker. */
  readonly #due = new Map<string, number>();

  constructor(options: QuotaWatchOptions) {
    this.#options = options;
  }

  /** Notes that the agent of this worker is at work. */
  expect(settings: WorkerSettings): void {
    const { workerId } = settings;
    this.#payerOf(settings);
    if (!this.#due.has(workerId)) this.#due.set(workerId, this.#options.clock.now() + QUOTA_EVERY_MS);
  }

  /** Tells at once, and once more later. */
  async tell(settings: WorkerSettings): Promise<void> {
    this.#due.set(settings.workerId, this.#options.clock.now() + QUOTA_EVERY_MS);
    await this.#tellNow(settings);
  }

  async tellDue(): Promise<void> {
    const { knownWorkers, clock } = this.#options;
    for (const kept of [this.#payers, this.#due])
      for (const id of kept.keys()) if (knownWorkers.settingsOf(id) === undefined) kept.delete(id);
    for (const [workerId, at] of this.#due) {
      if (at > clock.now()) continue;
      this.#due.delete(workerId);
      const settings = knownWorkers.settingsOf(workerId);
      if (settings !== undefined) await this.#tellNow(settings);
    }
  }

  async #tellNow(settings: WorkerSettings): Promise<void> {
    const { outbox, log, cages } = this.#options;
    const { workerId } = settings;
    try {
      const payer = this.#payerOf(settings);
      if (payer === null) return;
      const quota = await readQuota({ ...this.#options, settings, home: cages.homeOf(settings) }, payer.openedAt);
      if (quota === null || !isNewer(quota, payer.told)) return;
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
}

/** Tells whether limits have changed, or stand as they were for so long that their age is news. */
function isNewer(quota: Quota, told: Quota | null): boolean {
  if (told === null) return true;
  const age = toldAt(quota) - toldAt(told);
  return age >= QUOTA_AGE_MS || (age >= 0 && !readsTheSame(quota, told));
}
