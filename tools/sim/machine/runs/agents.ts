/**
 * Simulates what agents of runs do beside their work: they leave results where the real parts read them, and forget, forge, repeat and contradict
 * them. Some reviewers never approve, and some agents say that they are done while something of theirs goes on.
 */
import { layOutResult, readResultFile, resultsOf } from '@drover/machine-agent/testing';
import type { ResultSeen, RunItem, TaskResult } from '@drover/core';
import { OWED_FILE, readOwed, Redactor, resultFileName } from '@drover/protocol';
import type { SeededRandom, SimProgram, VirtualTime } from '@drover/testkit';
import { SimAccount } from './account.ts';
import { SimFiles } from './files.ts';

const MACHINE_DIR = '/data';
const NOTHING: TaskResult = { verdict: 'done', summary: 'Done.', parts: [], report: '', findings: [], answers: [] };

/** A result that an agent left for its own task and attempt, and that keeps the form. */
export interface LeftResult {
  readonly workerId: string;
  readonly owed: RunItem;
  readonly result: TaskResult;
}

/** Text with which an agent begins a turn for an item of a run. */
export interface Took {
  readonly workerId: string;
  readonly owed: RunItem;
  readonly text: string;
  /** Time before which its account pays for nothing, so that the turn comes to nothing; null: it pays. */
  readonly dryUntil: number | null;
}

/** Receiver of what agents do for runs. */
export interface RunAgentWatch {
  took(took: Took): void;
  /** An agent left a whole result for its own task. */
  left(left: LeftResult): void;
}

interface RunAgentsParts {
  /** The machine's own clock. */
  readonly now: () => number;
  readonly time: Pick<VirtualTime, 'now'>;
  readonly random: SeededRandom;
  /** Items of runs at which the account runs dry. */
  readonly dryEvery: number;
  readonly watch: RunAgentWatch;
}

/** The agents of runs on one machine. */
export class RunAgents {
  readonly #files: SimFiles;
  readonly #random: SeededRandom;
  readonly #account: SimAccount;
  readonly #watch: RunAgentWatch;
  /** Texts of turns that have begun, by worker, until a result is left or forgotten. */
  readonly #turns = new Map<string, string>();
  /** Tells of each run whether its reviewers ever approve. */
  readonly #approves = new Map<string, boolean>();

  constructor({ now, time, random, dryEvery, watch }: RunAgentsParts) {
    this.#files = new SimFiles(now);
    this.#random = random;
    this.#account = new SimAccount(time.now, dryEvery);
    this.#watch = watch;
  }

  /** Lays out what the agent owes, as the real machine does before it types. */
  owes(workerId: string, owed: RunItem): Promise<void> {
    return layOutResult(this.#files, resultsOf(MACHINE_DIR, workerId), owed);
  }

  /** Reads the result as the real machine does. */
  read(workerId: string, owed: RunItem): Promise<ResultSeen> {
    const directory = resultsOf(MACHINE_DIR, workerId);
    return readResultFile(this.#files, directory, { owed, redactor: REDACTOR, offsetMs: 0 });
  }

  /** A program starts: nothing is owed until a text says so. */
  started(workerId: string): void {
    this.#files.removeNow(`${resultsOf(MACHINE_DIR, workerId)}/${OWED_FILE}`);
    this.#turns.delete(workerId);
  }

  /** Notes that the agent begins a turn. @returns the time before which its account pays for nothing. */
  took(workerId: string, text: string): number {
    const owed = this.#owedBy(workerId);
    if (owed !== null) {
      this.#turns.set(workerId, text);
      this.#account.took(owed);
      this.#watch.took({ workerId, owed, text, dryUntil: this.#account.isDry ? this.#account.dryUntil : null });
    }
    return this.#account.dryUntil;
  }

  /** Tells whether the agent touches its worktree: one that shall only read mostly does not. */
  mayWork(workerId: string): boolean {
    const owed = this.#owedBy(workerId);
    return owed === null || owed.returns === 'commit' || this.#random.chance(0.05);
  }

  /** The screen has changed: at the end of its turn the agent leaves a result, or forgets it. */
  changed(workerId: string, { state }: SimProgram): void {
    const text = this.#turns.get(workerId);
    if (text === undefined || state.kind !== 'ready' || state.after !== 'completed') return;
    // Half of them say that they are done although something goes on.
    if (state.background !== undefined && this.#random.chance(0.5)) return;
    this.#turns.delete(workerId);
    const owed = this.#owedBy(workerId);
    if (owed !== null) this.#leave(workerId, owed, text);
  }

  #owedBy(workerId: string): RunItem | null {
    const text = this.#files.textAt(`${resultsOf(MACHINE_DIR, workerId)}/${OWED_FILE}`);
    return text === null ? null : readOwed(text);
  }

  #leave(workerId: string, owed: RunItem, text: string): void {
    const how = this.#random.weighted(MOODS);
    const directory = resultsOf(MACHINE_DIR, workerId);
    const path = `${directory}/${resultFileName(owed)}`;
    const result = how === 'contradicts' ? contradictionTo(owed) : this.#resultFor(owed, text);
    const written = { v: 1, attempt: owed.attempt, ...result };
    switch (how) {
      case 'forgets':
        return;
      case 'garbage':
        return this.#files.writeNow(path, '{"v": 1, "verdict": "do');
      case 'forges':
        // A result of another attempt, under the name of this one.
        return this.#files.writeNow(path, JSON.stringify({ ...written, attempt: owed.attempt + 1 }));
      case 'forges-task':
        return this.#files.writeNow(path, JSON.stringify({ ...written, task: 'another/build' }));
      case 'contradicts':
        return this.#files.writeNow(path, JSON.stringify(written));
      case 'honest':
        this.#files.writeNow(path, JSON.stringify(written));
        return this.#watch.left({ workerId, owed, result });
      default:
        return how satisfies never;
    }
  }

  #resultFor({ runId, returns }: RunItem, text: string): TaskResult {
    const random = this.#random;
    if (returns !== 'review' && random.chance(0.04)) return { ...NOTHING, verdict: 'blocked', summary: 'I cannot.' };
    switch (returns) {
      case 'commit':
        return { ...NOTHING, answers: answersTo(text, random) };
      case 'report':
        return { ...NOTHING, report: 'It is so.' };
      case 'parts':
        return { ...NOTHING, parts: partsOf(random) };
      case 'review':
        return this.#approvesIn(runId) ? { ...NOTHING, verdict: 'approve' } : revision(random);
      default:
        return returns satisfies never;
    }
  }

  #approvesIn(runId: string): boolean {
    const known = this.#approves.get(runId) ?? this.#random.chance(0.8);
    this.#approves.set(runId, known);
    return known && this.#random.chance(0.7);
  }
}

const REDACTOR = new Redactor();

/** Ends of turns by how often they come. */
const MOODS = { honest: 76, forgets: 10, garbage: 3, forges: 4, 'forges-task': 2, contradicts: 5 } as const;

/** A result that says two things at once. */
function contradictionTo({ returns }: RunItem): TaskResult {
  if (returns !== 'review') return { ...NOTHING, verdict: 'approve' };
  const blocker = { id: 'F1', severity: 'blocker', file: null, line: null, text: 'It breaks.' } as const;
  return { ...NOTHING, verdict: 'approve', findings: [blocker] };
}

/** Answers each finding that the text names, by its id. */
function answersTo(text: string, random: SeededRandom): TaskResult['answers'] {
  const ids = [...text.matchAll(/^(F\d+) \(/gm)].flatMap(([, id]) => id ?? []);
  return [...new Set(ids)].map((finding) => ({
    finding,
    did: random.chance(0.8) ? ('fixed' as const) : ('declined' as const),
    why: 'So.',
  }));
}

function partsOf(random: SeededRandom): TaskResult['parts'] {
  return Array.from({ length: random.int(1, 3) }, (_, at) => ({
    title: `Part ${at + 1}`,
    prompt: 'Do it.',
    paths: [random.pick(['src/a', 'src/b', `own/${at}`])],
  }));
}

function revision(random: SeededRandom): TaskResult {
  const severity = random.pick(['blocker', 'major', 'minor'] as const);
  const finding = { id: `F${random.int(1, 9)}`, severity, file: null, line: null, text: 'It is wrong.' };
  return { ...NOTHING, verdict: 'revise', findings: [finding] };
}
