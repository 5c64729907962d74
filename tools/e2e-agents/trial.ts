// Watches a worker from both sides: checks that Drover's beliefs agree with what the model's service knows.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, systemClock } from '@drover/base';
import type { WhyView, WorkerView } from '@drover/api';
import type { Exchange } from '@drover/real-agents';
import { differenceOf, wrongMs, type Stretch } from './differences.ts';
import type { Site } from './site.ts';
import { LEFT_OUT } from './report.ts';
import { until } from '../fleet/wait.ts';

/** Line of the result. */
export type StepResult = {
  readonly step: string;
  readonly believed: string;
  readonly truth: string;
  readonly ok: boolean;
};

export type Finding = Omit<StepResult, 'step'>;

/** Milliseconds for a step's condition, on a loaded machine. */
const WITHIN_MS = 120_000;
/** Milliseconds for the start of a program: before its screen shows anything, OpenCode needs ten seconds of a processor. */
const UP_MS = 240_000;
/** Milliseconds between two comparisons of both sides, and how long they may differ. */
const COMPARE_EVERY_MS = 150;
const DIFFER_MS = 8_000;
/** Milliseconds after which a key that changed nothing is pressed again: ten looks of the machine agent, and their storing. */
const HEEDED_MS = 3_000;
/** Lines of a worker's history that are read: more than any step makes. */
export const HISTORY_MAX = 300;

/** Worker on trial. */
export class Trial {
  readonly site: Site;
  readonly worker: string;
  readonly results: StepResult[] = [];
  readonly #report: (result: StepResult) => void;
  /** Directory that keeps the screen of a step that went wrong; null: none is kept. */
  readonly #debug: string | null;

  constructor(
    site: Site,
    worker: string,
    { report, debug }: { report: (result: StepResult) => void; debug: string | null },
  ) {
    this.site = site;
    this.worker = worker;
    this.#report = report;
    this.#debug = debug;
  }

  /** Carries out a step; what it throws, and what contradicts itself meanwhile, is a wrong belief. @returns whether all was right. */
  async step(name: string, run: () => Promise<Finding>): Promise<boolean> {
    const over = new AbortController();
    const compared = this.#compare(over.signal);
    const found = await run().catch(async (error: unknown): Promise<Finding> => {
      const message = messageOf(error);
      return { believed: await this.#stand(), truth: `${message}; model: ${this.#lastExchange()}`, ok: false };
    });
    over.abort();
    const contradictions = await compared;
    const result: StepResult =
      contradictions.length === 0
        ? { step: name, ...found }
        : { step: name, ...found, truth: `${found.truth}; ${contradictions.join('; ')}`, ok: false };
    this.results.push(result);
    this.#report(result);
    if (!result.ok) await this.#keep(name);
    return result.ok;
  }

  /** Adds the worker, and waits until its program is ready. @param watch Is told each look. */
  async comesUp(watch: (view: WorkerView) => void = () => {}): Promise<WorkerView> {
    await this.site.add(this.worker);
    const isUp = (view: WorkerView): boolean => {
      watch(view);
      return view.status === 'idle' && view.screen === 'ready';
    };
    return this.believes('idle, and the screen is ready', isUp, UP_MS);
  }

  /** Puts a new worker of that name in the place of the present one. */
  async replaced(): Promise<void> {
    const { fleet } = this.site;
    await fleet.nuke(this.worker);
    const isGone = async (): Promise<true | undefined> =>
      (await fleet.worker(this.worker)) === undefined ? true : undefined;
    await until('the worker to be gone', isGone, WITHIN_MS);
    await this.comesUp();
  }

  /** A step that the program has no way for. */
  skip(name: string, why: string): void {
    const result = { step: name, believed: LEFT_OUT, truth: `not possible: ${why}`, ok: true };
    this.results.push(result);
    this.#report(result);
  }

  /** Waits until Drover believes something of the worker. */
  async believes(what: string, holds: (view: WorkerView) => boolean, withinMs = WITHIN_MS): Promise<WorkerView> {
    let last = 'nothing';
    const ask = async (): Promise<WorkerView | undefined> => {
      const view = await this.site.fleet.worker(this.worker);
      last = view === undefined ? 'nothing' : `${view.status}, screen ${view.screen ?? 'none'} (${view.note})`;
      return view !== undefined && holds(view) ? view : undefined;
    };
    return until(`the belief "${what}"`, ask, withinMs).catch((error: unknown) => {
      throw new Error(`${messageOf(error)}; it is ${last}`);
    });
  }

  /** Waits until the model's service knows something. */
  async knows<T>(
    what: string,
    ask: (exchanges: readonly Exchange[]) => T | undefined | Promise<T | undefined>,
  ): Promise<T> {
    return until(`the fact "${what}"`, async () => ask(this.site.model.exchanges), WITHIN_MS);
  }

  /** Waits until Drover believes that the worker waits for words, ready and with an empty hand. */
  async rests(status: string, withinMs = WITHIN_MS): Promise<WorkerView> {
    return this.believes(
      `${status}, and the screen is ready`,
      (view) => view.status === status && view.screen === 'ready',
      withinMs,
    );
  }

  /** Sends words and waits for the receipt. @returns it, and the number of exchanges before. */
  async tell(text: string): Promise<{ receipt: WhyView['receipts'][number] | undefined; before: number }> {
    const { fleet, model } = this.site;
    const before = model.exchanges.length;
    const [newest] = (await fleet.why(this.worker)).receipts;
    await fleet.message(this.worker, text);
    const receipt = await until(
      'a receipt',
      async () => {
        const {
          receipts: [receipt],
          worker,
        } = await fleet.why(this.worker);
        if (receipt !== undefined && receipt.at !== newest?.at) return receipt;
        return worker.status === 'error' ? null : undefined;
      },
      WITHIN_MS,
    );
    return { receipt: receipt ?? undefined, before };
  }

  /**
   * Presses keys as a person would: looks whether they are still called for, presses, looks again, and presses again. A
   * program ignores a key that comes as its dialog opens. A wrong look shows in the step: what the keys are for stays away.
   *
   * @param calls Whether the screen that Drover believes in still calls for the keys.
   * @throws when they are still called for at the end of a step's time.
   */
  async press(keys: readonly string[], calls: (view: WorkerView) => boolean): Promise<void> {
    const end = performance.now() + WITHIN_MS;
    const heeded = async (withinMs: number): Promise<boolean> =>
      this.believes('the keys are heeded', (view) => !calls(view), withinMs).then(
        () => true,
        () => false,
      );
    for (let times = 0; !(await heeded(times === 0 ? 0 : HEEDED_MS)); times += 1) {
      if (performance.now() > end) throw new Error(`Pressed ${keys.join(' ')} ${times} times in vain`);
      await this.site.press(this.worker, keys);
    }
  }

  /** The rules that fired so far, newest first. */
  async rules(): Promise<readonly string[]> {
    return (await this.site.fleet.why(this.worker, HISTORY_MAX)).history.flatMap(({ rules }) => rules);
  }

  /** Compares both sides until the signal; tells where they differed for too long. */
  async #compare(signal: AbortSignal): Promise<readonly string[]> {
    const { exchanges } = this.site.model;
    const stretches: Stretch[] = [];
    let [difference, from, asked] = ['', systemClock.now(), exchanges.length];
    const close = (): void => {
      const to = systemClock.now();
      if (difference !== '' && to - from > DIFFER_MS) stretches.push({ difference, from, to, asked });
    };
    while (!signal.aborted) {
      const view = await this.site.fleet.worker(this.worker).catch(() => undefined);
      const next = differenceOf(view, exchanges.at(-1));
      if (next !== difference) {
        close();
        [difference, from, asked] = [next, systemClock.now(), exchanges.length];
      }
      await delay(COMPARE_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
    close();
    return this.#wrong(stretches);
  }

  /** Lists the differences that were wrong beliefs for too long. A text's receipt comes after its turn was seen, so this method judges at the end. */
  async #wrong(stretches: readonly Stretch[]): Promise<readonly string[]> {
    if (stretches.length === 0) return [];
    const { receipts } = await this.site.fleet.why(this.worker).catch(() => ({ receipts: [] }));
    const facts = { exchanges: this.site.model.exchanges, receipts };
    const wrong = stretches.filter((stretch) => wrongMs(stretch, facts) > DIFFER_MS);
    return [...new Set(wrong.map(({ difference }) => `for over ${DIFFER_MS / 1_000} s ${difference}`))];
  }

  async #keep(step: string): Promise<void> {
    if (this.#debug === null) return;
    const { fleet, model } = this.site;
    for (const { name } of await fleet.list().catch(() => [])) {
      const file = path.join(this.#debug, `${name}-${step.replaceAll(/[^a-z0-9]+/giu, '-')}`);
      await writeFile(`${file}.ansi`, await this.site.screen(name).catch(String));
      const why = await fleet.why(name, HISTORY_MAX).catch(String);
      await writeFile(`${file}.json`, JSON.stringify({ why, exchanges: model.exchanges.slice(-4) }, null, 2));
    }
  }

  async #stand(): Promise<string> {
    const view = await this.site.fleet.worker(this.worker).catch(() => undefined);
    if (view === undefined) return 'nothing';
    return `${view.status}, screen ${view.screen ?? 'none'} (${view.note})`;
  }

  #lastExchange(): string {
    const last = this.site.model.exchanges.at(-1);
    if (last === undefined) return 'never asked';
    return `${last.keyword ?? 'no keyword'} → ${last.action}, ${last.ended}`;
  }
}
