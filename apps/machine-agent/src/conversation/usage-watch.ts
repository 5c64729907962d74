/**
 * Tells what tasks use, as their programs record it, and how long their agents are at work: now and then while an agent works, and before the
 * end of its turn is judged. The limits of the account that pays are looked for beside it.
 *
 * Little news is not told, so that hours of work are some hundred reports: the sum has grown by a twentieth, or the turn is over.
 */
import type { Usage } from '@drover/core';
import { WORKED_MS_MAX } from '@drover/protocol';
import type { WorkerSettings } from '@drover/protocol';
import type { UsageTeller } from '../execute/ports.ts';
import type { Panes } from '../panes/panes.ts';
import { readBegun, recordsFile, resultsOf, type Begun } from '../signals/results.ts';
import { QuotaWatch, type QuotaWatchOptions } from './quota-watch.ts';
import { findSource, findSubagents, linesOf } from './sources.ts';
import { countIn, sumOf, type Counted } from './usage.ts';

/** Milliseconds between two readings of the records of agents that work. */
const READ_EVERY_MS = 2_000;
/** Growth that is told while a turn goes on: budgets hold to about this share. */
const TOLD_GROWTH = 1.05;
/** Milliseconds at work that are told while a turn goes on, at least. */
const TOLD_WORKED_MS = 10_000;
/** Bytes of the list of a task's records. */
const SOURCES_BYTES_MAX = 64 * 1024;

interface UsageWatchOptions extends QuotaWatchOptions {
  readonly panes: Pick<Panes, 'atWork'>;
}

/** Count of one task, or of one attempt at an item of a run, and what was told of it. */
interface Told extends Counted {
  readonly attempt: string;
  told: Usage | null;
  workedMs: number;
  toldMs: number;
}

export class UsageWatch implements UsageTeller, Disposable {
  readonly #options: UsageWatchOptions;
  readonly #counts = new Map<string, Told>();
  readonly #quotas: QuotaWatch;
  #cancel: () => void = () => {};
  #isOver = false;

  constructor(options: UsageWatchOptions) {
    this.#options = options;
    this.#quotas = new QuotaWatch(options);
  }

  start(): void {
    if (this.#isOver) return;
    this.#cancel = this.#options.clock.after(READ_EVERY_MS, () => void this.#readAll().then(() => this.start()));
  }

  async tell(settings: WorkerSettings): Promise<void> {
    await this.#tell(settings, { hasWorkedMs: 0, isOver: true });
    await this.#quotas.tell(settings);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#cancel();
  }

  async #tell(
    settings: WorkerSettings,
    { hasWorkedMs, isOver }: { readonly hasWorkedMs: number; readonly isOver: boolean },
  ): Promise<void> {
    const { host, machineDir, outbox, log } = this.#options;
    const { workerId } = settings;
    try {
      const begun = await readBegun(host, resultsOf(machineDir, workerId));
      if (begun === null) return;
      const counted = this.#countOf(workerId, begun);
      counted.workedMs += hasWorkedMs;
      await this.#count(settings, begun, counted);
      const usage = sumOf(counted.answers.values());
      if (!isNews(counted, usage, isOver)) return;
      const { task, of, at: since } = begun;
      const item = of === null ? undefined : { runId: of.runId, item: of.item, attempt: of.attempt };
      const workedMs = Math.min(WORKED_MS_MAX, counted.workedMs - counted.toldMs);
      outbox.add({ kind: 'usage', workerId, task, since: Math.round(since), of: item, workedMs, usage });
      counted.told = usage;
      counted.toldMs += workedMs;
    } catch (error) {
      log('debug', `Cannot read what the agent of ${workerId} uses: ${String(error)}`);
    }
  }

  async #readAll(): Promise<void> {
    const { panes, knownWorkers } = this.#options;
    const workers = new Set(
      panes.atWork.flatMap((incarnation) => knownWorkers.incarnationOf(incarnation)?.workerId ?? []),
    );
    for (const id of this.#counts.keys()) if (knownWorkers.settingsOf(id) === undefined) this.#counts.delete(id);
    for (const workerId of workers) {
      const settings = knownWorkers.settingsOf(workerId);
      if (settings === undefined) continue;
      this.#quotas.expect(settings);
      await this.#tell(settings, { hasWorkedMs: READ_EVERY_MS, isOver: false });
    }
    await this.#quotas.tellDue();
  }

  #countOf(workerId: string, { task, of, at }: Begun): Told {
    const attempt = `${task} ${JSON.stringify(of)} ${at}`;
    const known = this.#counts.get(workerId);
    if (known?.attempt === attempt) return known;
    const fresh = { attempt, read: new Map(), answers: new Map(), told: null, workedMs: 0, toldMs: 0 };
    this.#counts.set(workerId, fresh);
    return fresh;
  }

  async #count(settings: WorkerSettings, { at }: Begun, counted: Counted & Pick<Told, 'attempt'>): Promise<void> {
    const { host } = this.#options;
    const context = { ...this.#options, settings, home: this.#options.cages.homeOf(settings) };
    const source = await findSource(context);
    const earlier = await this.#sourcesOf(settings, counted.attempt, source?.name ?? null);
    const all = [...(source === null ? [] : [source]), ...earlier.map((name) => linesOf(host, name))];
    for (const main of all)
      for (const one of [main, ...(await findSubagents(context, main))]) await countIn(one, at, counted);
  }

  /** Lists the records of the conversations that the task had before this one: an agent that is started anew within its task begins another. */
  async #sourcesOf({ workerId }: WorkerSettings, attempt: string, name: string | null): Promise<readonly string[]> {
    const { host, machineDir } = this.#options;
    const file = recordsFile(resultsOf(machineDir, workerId));
    const read = await host.readRange(file, { from: 0, bytesMax: SOURCES_BYTES_MAX });
    const [of, ...known] = read === undefined ? [] : Buffer.from(read.bytes).toString('utf8').trimEnd().split('\n');
    const names = of === attempt ? known : [];
    const isNew = name !== null && name.endsWith('.jsonl') && !names.includes(name);
    if (isNew) await host.writeFile(file, `${[attempt, ...names, name].join('\n')}\n`);
    return names.filter((one) => one !== name);
  }
}

function isNews({ told, workedMs, toldMs }: Told, usage: Usage | null, isOver: boolean): boolean {
  if (isOver) return JSON.stringify(usage) !== JSON.stringify(told) || workedMs > toldMs;
  if (workedMs >= toldMs * TOLD_GROWTH && workedMs - toldMs >= TOLD_WORKED_MS) return true;
  if (usage === null || told === null) return usage !== told;
  return tokensOf(usage) >= tokensOf(told) * TOLD_GROWTH || (usage.money ?? 0) > (told.money ?? 0) * TOLD_GROWTH;
}

function tokensOf({ input, output }: Usage): number {
  return input + output;
}
