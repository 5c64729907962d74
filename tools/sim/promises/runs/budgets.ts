/**
 * Checks that budgets of tokens hold (W4): those of runs and stages, and those of `drover.toml`, by what agents really used. What nobody has told
 * yet cannot be known: it is one turn of each agent at most. Once a budget is known to be spent, an agent ends its turn and hands back.
 */
import { allItems, HAND_BACK_TEXT, runOf } from '@drover/core';
import type { Item, RunItem } from '@drover/core';
import type { RunEventRow, RunRow } from '@drover/store';
import type { MemoryDatabase } from '@drover/store/testing';
import type { Took } from '../../machine/runs/agents.ts';
import { STEP_TOKENS, type Used } from '../../machine/runs/usage.ts';
import { makeCheck } from '../../runs/tally.ts';
import type { Check, Tally } from '../../runs/tally.ts';
import { keyOf, type Moment } from './moment.ts';

const PROMISED = {
  spent: 'nothing begins, and nothing goes on, once a budget is spent (W4)',
  counted: 'a run counts all that it was told of its items, on whatever machines they were (W4)',
  told: 'what an agent uses is told before it begins another turn (W4)',
  begun: 'no work of a run begins once a budget of "drover.toml" is known to be spent (W4)',
  over: 'once a budget is known to be spent, an agent uses at most a tenth of it, or two turns (W4)',
  passed: 'what was handed back never passes (W4)',
} as const;

/**
 * Tokens of an agent that nobody knows of, or that it uses beyond a budget, at most. A turn has two to six steps; an error, a person at the
 * keyboard, or work in the background adds some, and a budget that is spent the turn that hands back.
 */
const UNSEEN_MAX = 15 * STEP_TOKENS;
const SHARE_OVER = 0.1;
/** Milliseconds within which a start that looked before the news may still be saved. */
const SAVED_WITHIN_MS = 5_000;

/** Use of one worker for one task. */
interface Spending extends Pick<Used, 'workerId' | 'task' | 'of'> {
  readonly projectId: string;
  used: number;
  /** As the coordinators know it. */
  told: number;
  /** Spent budget that it is under, and what was used when that became known; null: there is room. */
  over: { readonly limit: number; readonly from: number; readonly since: number } | null;
}

export class BudgetChecks {
  readonly #database: MemoryDatabase;
  readonly #tally: Tally;
  readonly #check: Check<typeof PROMISED>;
  /** By task and worker. */
  readonly #spendings = new Map<string, Spending>();
  /** Attempts whose agents were asked for what they have. */
  readonly #handedBack = new Set<string>();
  /** Tokens of each count of an attempt of which its run has heard. */
  readonly #heard = new Map<string, number>();

  constructor(database: MemoryDatabase, tally: Tally) {
    this.#database = database;
    this.#tally = tally;
    this.#check = makeCheck(tally, PROMISED);
  }

  /** An agent begins a turn for an item. */
  took({ owed, text }: Took): void {
    if (text.includes(HAND_BACK_TEXT)) this.#handedBack.add(keyOf(owed));
  }

  /** An agent has used something. */
  used({ workerId, task, of, tokens }: Used): void {
    const row = this.#database.workers.get(workerId);
    if (row === undefined) return;
    const key = `${task} ${workerId}`;
    const fresh = { workerId, task, projectId: row.projectId, used: 0, told: 0, over: null };
    const spending: Spending = { ...(this.#spendings.get(key) ?? fresh), of };
    spending.used += tokens;
    this.#spendings.set(key, spending);
    const untold = spending.used - spending.told;
    this.#check('told', untold <= UNSEEN_MAX, `${row.name} has used ${untold} tokens, and nobody was told`);
    if (spending.over === null) return;
    const { limit, from } = spending.over;
    const most = Math.max(SHARE_OVER * limit, UNSEEN_MAX);
    const beyond = spending.used - from;
    this.#check('over', beyond <= most, `${row.name} has used ${beyond} tokens beyond a budget of ${limit}`);
  }

  /** A worker is given an item. */
  begins(workerId: string, of: RunItem): void {
    const { workers } = this.#database;
    const projectId = workers.get(workerId)?.projectId ?? '';
    const limit = this.#aboveLimit({ workerId, task: '', of, projectId });
    const now = this.#database.now();
    const isLate = [...this.#spendings.values()].some(
      ({ over, ...one }) => one.projectId === projectId && over !== null && over.since < now - SAVED_WITHIN_MS,
    );
    this.#check('begun', limit === null || !isLate, `${of.runId}: ${of.item} begins beyond a budget of ${limit}`);
  }

  /** Checks an item that has passed just now. */
  checkPassed(runId: string, { name, attempt }: Item): void {
    const isBack = this.#handedBack.has(keyOf({ runId, item: name, attempt }));
    this.#check('passed', !isBack, `${runId}: ${name} has passed, and its budget was spent`);
  }

  /** A run has heard something. */
  noteEvent(runId: string, { event, rules }: RunEventRow): void {
    if (event.kind !== 'usage' || !rules.includes('usage')) return;
    const key = `${keyOf({ runId, item: event.item, attempt: event.attempt })} ${event.since}`;
    const tokens = event.usage.input + event.usage.output;
    this.#heard.set(key, Math.max(tokens, this.#heard.get(key) ?? 0));
  }

  checkDecision({ before, row, event: { kind, rules } }: Moment): void {
    const { id, state } = row;
    const told = this.#heardOf(`${id} `);
    const counted = allItems(state)
      .flatMap(({ usage }) => Object.values(usage))
      .reduce((sum, { input, output }) => sum + input + output, 0);
    this.#check('counted', counted === told, `${id}: it counts ${counted} of ${told} tokens, and more are spent`);
    const isSpent = before.clock.told === 'spent' && before.ending !== null;
    const begins = rules.some((rule) => rule === 'request:start' || rule === 'request:send');
    this.#check('spent', !isSpent || !begins, `${id}: its budget is spent, and ${kind} begins more work`);
    if (state.ending !== null && state.clock.told !== 'spent') return;
    for (const { name, items } of state.stages) {
      const { flow } = state.terms;
      const ofStage = flow.stages.find((stage) => stage.name === name)?.budget.tokens ?? Infinity;
      const isOver =
        this.#heardOf(`${id} `) >= (flow.budget.tokens ?? Infinity) || this.#heardOf(`${id} ${name}`) >= ofStage;
      const goesOn = items.find(({ progress }) => progress.kind === 'running' && progress.handBackUntil === null);
      this.#check('spent', !isOver || goesOn === undefined, `${id}: ${goesOn?.name} goes on, and its tokens are spent`);
    }
  }

  checkRow({ id, state }: RunRow): void {
    if (state.ending !== null) return;
    for (const { items, clock } of state.stages) {
      if (clock.told !== 'spent' && state.clock.told !== 'spent') continue;
      const goesOn = items.find(({ progress }) => progress.kind === 'running' && progress.handBackUntil === null);
      this.#check('spent', goesOn === undefined, `${id}: ${goesOn?.name} goes on, and its budget is spent`);
    }
  }

  /** Reads what the coordinators know by now. */
  committed(): void {
    if (this.#spendings.size === 0) return;
    for (const spending of this.#spendings.values()) spending.told = 0;
    for (const { taskId, workerId, input, output } of this.#database.usage.values()) {
      const spending = this.#spendings.get(`${taskId} ${workerId}`);
      if (spending !== undefined) spending.told += (input ?? 0) + (output ?? 0);
    }
    for (const spending of this.#spendings.values()) {
      const limit = this.#spentLimit(spending);
      if (limit !== null && spending.over === null) {
        this.#tally.fault('note: tokens are spent', `${limit} by ${spending.workerId}`);
        spending.over = { limit, from: spending.used, since: this.#database.now() };
      }
      if (limit === null) spending.over = null;
    }
  }

  #heardOf(prefix: string): number {
    return [...this.#heard].reduce((sum, [key, tokens]) => (key.startsWith(prefix) ? sum + tokens : sum), 0);
  }

  /** Returns a budget that is known to be spent; null: none is. */
  #spentLimit(spending: Spending): number | null {
    const { of } = spending;
    const ofRun = of === null ? null : (this.#database.runs.get(of.runId)?.state.terms.flow.budget.tokens ?? null);
    const known = this.#known((one) => of !== null && one.of?.runId === of.runId);
    return ofRun !== null && known >= ofRun ? ofRun : this.#aboveLimit(spending);
  }

  /** Returns a budget of `drover.toml` that is known to be spent; null: none is, or a person allows more. */
  #aboveLimit({
    workerId,
    task,
    of,
    projectId,
  }: Pick<Spending, 'workerId' | 'task' | 'of' | 'projectId'>): number | null {
    const { projects, runs, workers } = this.#database;
    const run = of === null ? undefined : runs.get(of.runId)?.state;
    const worker = workers.get(workerId)?.state;
    const allowed = of === null ? worker?.budget.allowed : { ...run?.budgets?.allowed, ...run?.budgets?.workers };
    if (Object.keys(allowed ?? {}).length > 0) return null;
    const { budget = {} } = projects.get(projectId)?.config ?? {};
    const isOwnTask = of === null && worker !== undefined && runOf(worker.task) === null;
    const limits = [
      { tokens: isOwnTask ? budget.task?.tokens : null, known: this.#known((one) => one.task === task) },
      { tokens: budget.worker?.tokens, known: this.#known((one) => one.workerId === workerId) },
      { tokens: budget.project?.tokens, known: this.#known((one) => one.projectId === projectId) },
      { tokens: budget.day?.tokens, known: this.#known((one) => one.projectId === projectId) },
    ];
    return limits.find(({ tokens, known }) => tokens != null && known >= tokens)?.tokens ?? null;
  }

  #known(counts: (spending: Spending) => boolean): number {
    let known = 0;
    for (const spending of this.#spendings.values()) if (counts(spending)) known += spending.told;
    return known;
  }
}
