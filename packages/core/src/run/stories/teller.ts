/** Tells the story of a run: events go in, the newest requests are looked at. */
import { DEFAULT_POLICY } from '../../policy/policy.ts';
import type { Policy } from '../../policy/policy.ts';
import { decideRun, newRun } from '../decide-run.ts';
import type { RunAnswered, RunEvent } from '../event.ts';
import { findItem, itemOf } from '../find.ts';
import type { AgentWork, Budget, Flow, Stage } from '../flow.ts';
import type { RunOptionName, RunQuestion, RunRequest } from '../request.ts';
import type { Finding, Part, TaskResult } from '../result.ts';
import { statusOfItem } from '../run.ts';
import type { Item, Run, RunTerms } from '../run.ts';
import type { RunDecision, RunRecord } from '../step.ts';
import type { TaskEnd } from '../task.ts';

export const NO_BUDGET: Budget = { timeMs: null, tokens: null, money: null };

export function work(ask: string, role = 'developer'): AgentWork {
  return { role, profile: null, ask, tries: 2 };
}

export function flowOf(stages: readonly Stage[], budget: Partial<Flow['budget']> = {}): Flow {
  return { name: 'story', inputs: { goal: 'text' }, budget: { ...NO_BUDGET, workers: 4, ...budget }, stages };
}

export function result(changes: Partial<TaskResult> = {}): TaskResult {
  return { verdict: 'done', summary: 'Done.', parts: [], report: '', findings: [], answers: [], ...changes };
}

export function finding(id: string, severity: Finding['severity'] = 'major'): Finding {
  return { id, severity, file: 'a.ts', line: 1, text: `Finding ${id}` };
}

export function part(title: string, paths: readonly string[]): Part {
  return { title, prompt: `Do ${title}`, paths };
}

export const MINUTE = 60_000;

const FREE = { budget: NO_BUDGET };

/** Flow of one change: build, check, review, merge. */
export const CHANGE: readonly Stage[] = [
  { kind: 'task', name: 'build', ...work('{{goal}}'), returns: 'commit', check: null, ...FREE },
  { kind: 'check', name: 'check', of: 'build', check: [], ...FREE },
  {
    kind: 'review',
    name: 'review',
    of: 'build',
    ...work('Review it', 'reviewer'),
    profile: 'other',
    rounds: 2,
    ...FREE,
  },
  { kind: 'accept', name: 'merge', of: 'build', ...FREE },
];

/** Flow of a split: plan, gate, parts, join, merge. */
export const SPLIT: readonly Stage[] = [
  { kind: 'task', name: 'plan', ...work('Plan {{goal}}'), returns: 'parts', check: null, ...FREE },
  { kind: 'gate', name: 'go', of: 'plan', who: 'operator', ...FREE },
  {
    kind: 'each',
    name: 'build',
    ...work('{{part.prompt}}'),
    over: { kind: 'parts', stage: 'plan' },
    returns: 'commit',
    check: ['npm test'],
    ...FREE,
  },
  { kind: 'join', name: 'whole', of: 'build', ...work('{{goal}}'), check: [], ...FREE },
  { kind: 'accept', name: 'merge', of: 'whole', ...FREE },
];

/** Flow of readers, each alone, and one report. */
export function study(times: number): readonly Stage[] {
  const reader = { ...work('Read {{goal}}', 'researcher'), returns: 'report' as const, check: null, ...FREE };
  return [
    { kind: 'each', name: 'read', ...reader, over: { kind: 'times', times } },
    { kind: 'task', name: 'report', ...reader, ask: 'Write one of\n{{read.report}}' },
  ];
}

export const PARTS: readonly Part[] = [part('A', ['src/a']), part('B', ['src/b']), part('C', ['src/b/c.ts'])];

export class Teller {
  run: Run;
  now = 1_000_000;
  readonly requests: RunRequest[] = [];
  readonly records: RunRecord[] = [];
  last: RunDecision | null = null;
  readonly policy: Policy;
  #workers = 0;
  #commits = 0;

  constructor(
    flow: Flow,
    { policy = DEFAULT_POLICY, terms = {} }: { policy?: Policy; terms?: Partial<RunTerms> } = {},
  ) {
    this.policy = policy;
    this.run = newRun({
      id: 'r1',
      flow,
      inputs: { goal: 'Add a flag' },
      base: { commit: 'base', tree: 'base-tree' },
      by: 'mia',
      startedAt: this.now,
      retryOf: null,
      skip: [],
      adopts: [],
      ...terms,
    });
    this.tell({ kind: 'requested' });
  }

  tell(event: RunEvent): this {
    this.last = decideRun(this.run, event, { now: this.now, random: 0, policy: this.policy });
    // A row of a database keeps only what JSON keeps.
    this.run = JSON.parse(JSON.stringify(this.last.run)) as Run;
    this.requests.push(...this.last.requests);
    this.records.push(...this.last.records);
    return this;
  }

  pass(ms: number): this {
    this.now += ms;
    return this;
  }

  /** Lets every deadline that is due pass. */
  ring(): this {
    for (const [name, at] of Object.entries(this.run.deadlines))
      if (at <= this.now) this.tell({ kind: 'deadline', name: name as keyof Run['deadlines'] });
    return this;
  }

  item(name: string): Item {
    return itemOf(this.run, name);
  }

  statusOf(name: string): string {
    const item = findItem(this.run, name);
    return item === null ? 'none' : statusOfItem(item);
  }

  stage(name: string): string | null {
    return this.run.stages.find((stage) => stage.name === name)?.settled?.as ?? null;
  }

  /** Newest request of a kind, for an item. */
  asked<K extends RunRequest['kind']>(kind: K, item?: string): Extract<RunRequest, { kind: K }> | null {
    const found = this.requests.findLast(
      (request) => request.kind === kind && (item === undefined || itemOfRequest(request) === item),
    );
    return (found ?? null) as Extract<RunRequest, { kind: K }> | null;
  }

  count(kind: RunRequest['kind']): number {
    return this.requests.filter((request) => request.kind === kind).length;
  }

  /** Answers the outstanding start, or send, of an item. */
  placed(item: string, { profile = 'claude', account = 'a1' as string | null, workerId = '' } = {}): this {
    const { attempt, progress, worker } = this.item(item);
    const request = 'request' in progress ? progress.request : 'none';
    this.#workers += 1;
    const id = worker?.workerId ?? (workerId === '' ? `w${this.#workers}` : workerId);
    return this.tell({ kind: 'placed', request, item, attempt, workerId: id, name: id, profile, account });
  }

  ends(item: string, end: TaskEnd): this {
    const { attempt, worker } = this.item(item);
    return this.tell({ kind: 'task-ended', item, attempt, workerId: worker?.workerId ?? '?', end });
  }

  /** Ends an attempt with a valid result, and pins its commit. */
  does(item: string, changes: Partial<TaskResult> = {}, hasCommit = this.item(item).returns === 'commit'): this {
    const commit = hasCommit ? `c${(this.#commits += 1)}` : null;
    this.ends(item, { kind: 'result', result: result(changes), commit, base: this.item(item).from ?? 'base' });
    return hasCommit ? this.pinned(item) : this;
  }

  pinned(item: string): this {
    const { progress } = this.item(item);
    if (progress.kind !== 'pinning') return this;
    const commit = progress.commit ?? `wip${(this.#commits += 1)}`;
    return this.tell({ kind: 'pinned', request: progress.request, commit, tree: `tree-${commit}` });
  }

  checked(item: string, how: 'passed' | 'failed' | 'cannot-run' = 'passed', output = 'output'): this {
    const { progress } = this.item(item);
    const request = 'request' in progress ? progress.request : 'none';
    return this.tell({ kind: 'checked', request, how, output, culprit: null });
  }

  question(): RunQuestion | null {
    return this.run.questions.at(-1) ?? null;
  }

  answers(option: RunOptionName, more: Partial<Pick<RunAnswered, 'words' | 'parts' | 'commit' | 'spent'>> = {}): this {
    const question = this.question();
    return this.tell({
      kind: 'answered',
      question: question?.id ?? 'none',
      option,
      by: 'mia',
      words: '',
      parts: null,
      commit: question?.commit ?? null,
      ...more,
    });
  }

  /** Joins the commits of a stage. */
  joins(item: string): this {
    const { progress } = this.item(item);
    const request = 'request' in progress ? progress.request : 'none';
    return this.tell({ kind: 'joined', request, commit: 'j1', tree: 'tree-j1' });
  }

  /** Answers every release. */
  frees(): this {
    for (const { request, workerId } of this.run.releasing) this.tell({ kind: 'released', request, workerId });
    return this;
  }
}

function itemOfRequest(request: RunRequest): string | null {
  if (!('item' in request)) return null;
  return typeof request.item === 'string' ? request.item : request.item.item;
}
