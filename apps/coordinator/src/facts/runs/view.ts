/** Shows runs to people and their tools. */
import { allItems, chainOf, degradationOf, degradationSummary, spentOf, statusOfItem } from '@drover/core';
import type { Item, RunEvent, RunQuestion, RunRecord, StageState } from '@drover/core';
import type { RunEventView, RunLine, RunView } from '@drover/api';
import type { Project, RosterRow, RunEventRow, RunRow } from '@drover/store';
import { tellCause } from '../people/causes.ts';
import { shortRunId } from './names.ts';

/** Shows a run in a list. */
export function runLineOf(row: RunRow, projects: readonly Project[]): RunLine {
  const { id, projectId, flowName, goal, status, state, actor, createdAt, updatedAt, endedAt } = row;
  const at = state.stages.find(({ settled, isBegun }) => isBegun && settled === null);
  return {
    id,
    shortId: shortRunId(id),
    project: projects.find((project) => project.id === projectId)?.name ?? projectId,
    flow: flowName,
    goal,
    status,
    why: state.why,
    stage: endedAt === null ? (at?.name ?? null) : null,
    by: tellCause(actor),
    createdAt,
    updatedAt,
    endedAt,
  };
}

/** Projects and workers by which a run is shown. */
export interface Shown {
  readonly projects: readonly Project[];
  readonly workers: readonly Pick<RosterRow, 'id' | 'name'>[];
  readonly now: number;
  /** Lines about accounts, which stand under a plan that waits for a yes. */
  readonly headroom: readonly string[];
}

/** Shows a run with its stages and questions. */
export function runViewOf(row: RunRow, { projects, workers, now, headroom }: Shown): RunView {
  const { state, seq } = row;
  const names = new Map(workers.map(({ id, name }) => [id, name]));
  const kinds = new Map(state.terms.flow.stages.map(({ name, kind }) => [name, kind]));
  return {
    ...runLineOf(row, projects),
    stages: state.stages.map((stage) => ({
      name: stage.name,
      kind: kinds.get(stage.name) ?? '',
      ...stageStatus(stage),
      items: stage.items.map((item) => itemOf(item, { stage, names })),
      findings: findingsOf(stage),
    })),
    questions: state.questions.map((question) => questionOf(question, headroom)),
    degradation: degradationView(row),
    budget: budgetOf(row, now),
    merged: state.merged,
    base: state.terms.base.commit,
    retryOf: state.terms.retryOf,
    seq,
  };
}

function degradationView({ state }: RunRow): RunView['degradation'] {
  const known = degradationOf(state);
  return { level: known.level, summary: degradationSummary(known), capabilities: [...known.capabilities] };
}

function findingsOf({ rounds }: StageState): RunView['stages'][number]['findings'] {
  const last = rounds.at(-1);
  return (last?.findings ?? []).map(({ id, severity, file, line, text }) => {
    const answer = last?.answers.find(({ finding }) => finding === id);
    return { severity, file, line, text, answer: answer === undefined ? null : { did: answer.did, why: answer.why } };
  });
}

function budgetOf({ state }: RunRow, now: number): RunView['budget'] {
  const { timeMs, tokens, money } = state.terms.flow.budget;
  const spent = spentOf(allItems(state), state.clock, now);
  return {
    limit: { timeMs, tokens, money },
    spent: { timeMs: spent.timeMs, tokens: spent.tokens, money: spent.money },
  };
}

function stageStatus({ settled, isBegun, items }: StageState): { readonly status: string; readonly why: string } {
  if (settled !== null) return { status: settled.as, why: settled.why };
  if (!isBegun) return { status: 'waiting', why: 'earlier stages come first' };
  const open = items.find(({ progress }) => progress.kind !== 'settled');
  return open === undefined ? { status: 'running', why: '' } : { status: statusOfItem(open), why: whyOf(open) };
}

function itemOf(
  item: Item,
  { stage, names }: { readonly stage: StageState; readonly names: ReadonlyMap<string, string> },
): RunView['stages'][number]['items'][number] {
  const { name, attempt, worker, authors, output, result, failures, usage } = item;
  // A freed worker is known by what it did.
  const last = stage.rounds.at(-1)?.reviewer ?? authors.at(-1);
  const used = Object.values(usage);
  return {
    name,
    status: statusOfItem(item),
    why: whyOf(item),
    attempt,
    worker: worker?.name ?? names.get(last?.workerId ?? '') ?? null,
    profile: worker?.profile ?? last?.profile ?? null,
    commit: output.commit,
    summary: result?.summary ?? output.summary,
    report: result?.report ?? output.report,
    failures: failures.map(({ code, problem }) => ({ code, problem })),
    tokens: used.length === 0 ? null : used.reduce((sum, { input, output: out }) => sum + input + out, 0),
  };
}

function whyOf({ progress, worker }: Item): string {
  switch (progress.kind) {
    case 'waiting':
    case 'settled':
      return progress.why;
    case 'placing':
      return 'a worker is being chosen';
    case 'running':
      if (worker === null) return '';
      if (progress.asks !== undefined) return `waiting: ${worker.name} ${progress.asks}`;
      return progress.isAway ? `its machine is away; ${worker.name} may be at it` : `${worker.name} is at it`;
    case 'pinning':
      return 'its commit is being kept';
    case 'checking':
      return 'its checks run';
    case 'joining':
      return 'the commits are being joined';
    case 'accepting':
      return 'it is being merged';
    default:
      return progress satisfies never;
  }
}

function questionOf(
  { id, about, item, text, options, commit, parts, report }: RunQuestion,
  headroom: readonly string[],
): RunView['questions'][number] {
  return {
    id,
    about,
    item,
    text: parts === null ? text : [text, ...headroom].join('\n'),
    options: options.map(({ option, text: label }) => ({ option, text: label })),
    commit,
    parts:
      parts === null ? null : parts.map(({ title, prompt, paths, check }) => partOf({ title, prompt, paths, check })),
    after: [...chainOf(parts ?? [])],
    report,
  };
}

type PartView = NonNullable<RunView['questions'][number]['parts']>[number];

function partOf({
  title,
  prompt,
  paths,
  check,
}: {
  readonly title: string;
  readonly prompt: string;
  readonly paths: readonly string[];
  readonly check: readonly string[] | undefined;
}): PartView {
  return { title, prompt, paths: [...paths], ...(check !== undefined && { check: [...check] }) };
}

/** Shows an event of a run with what followed. */
export function runEventViewOf({ seq, at, kind, actor, event, records }: RunEventRow): RunEventView {
  return { seq, at, kind, by: tellCause(actor), lines: [...eventLines(event), ...records.map(recordLine)] };
}

/** Says what an event tells by itself. */
function eventLines(event: RunEvent): readonly string[] {
  switch (event.kind) {
    case 'placed':
      return [`${event.item}: ${event.name} has it (${event.profile})`];
    case 'not-placed':
      return [event.text];
    case 'agent-asked':
      return [`${event.item}: ${event.name} asks a person: ${event.text}`];
    case 'message-lost':
      return [`the message of ${event.from} to ${event.to} did not arrive: ${event.why}`];
    case 'task-ended':
      return [`${event.item}: ${event.end.kind === 'result' ? event.end.result.verdict : event.end.kind}`];
    default:
      return [];
  }
}

function recordLine(entry: RunRecord): string {
  switch (entry.kind) {
    case 'run-moved':
      return `run: ${entry.from} → ${entry.to}: ${entry.why}`;
    case 'stage-moved':
    case 'item-moved':
      return `${entry.name}: ${entry.from} → ${entry.to}: ${entry.why}`;
    case 'error':
      return `${entry.item}: ${entry.code}: ${entry.problem}`;
    case 'edited':
      return `${entry.by} edited ${entry.item}: ${entry.after.length} parts`;
    case 'answered':
      return `${entry.by} answered "${entry.option}"${entry.words === '' ? '' : `: ${entry.words}`}`;
    case 'ignored':
      return `nothing changed: ${entry.why}`;
    case 'adopted':
      return `${entry.item} was taken over from run ${shortRunId(entry.from)}`;
    case 'recovered':
      return `recovered: run ${shortRunId(entry.of)} goes on here`;
    case 'notice':
      return entry.text;
    default:
      return entry satisfies never;
  }
}
