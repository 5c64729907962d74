/** Puts runs into words, and a plan into the lines that a person edits. */
import { shellWord } from '@drover/core/shell-word';
import type { RunView } from '@drover/api';
import { spanText } from './text.ts';

type Question = RunView['questions'][number];
export type Part = NonNullable<Question['parts']>[number];

/** Look of a status of a run, a stage or an item. */
export type Standing = 'waits' | 'works' | 'asks' | 'passed' | 'part' | 'failed' | 'over';

const STANDINGS: ReadonlyMap<string, Standing> = new Map(
  Object.entries({
    running: 'works',
    checking: 'works',
    stopping: 'works',
    paused: 'asks',
    passed: 'passed',
    finished: 'passed',
    partial: 'part',
    'over-budget': 'part',
    failed: 'failed',
    stopped: 'over',
    skipped: 'over',
  } as const),
);

/** @returns the look of a status; one of a newer coordinator looks as if it waits. */
export function standingOf(status: string): Standing {
  return STANDINGS.get(status) ?? 'waits';
}

/** Says what is spent of each budget, a phrase each. */
export function budgetWords({ limit, spent }: RunView['budget']): readonly string[] {
  return [
    usedOf(spent.timeMs ?? 0, limit.timeMs, spanText),
    spent.tokens === null ? 'tokens not told' : `${usedOf(spent.tokens, limit.tokens, countText)} tokens`,
    ...(spent.money === null ? [] : [usedOf(spent.money, limit.money, moneyText)]),
  ];
}

function usedOf(used: number, limit: number | null, text: (amount: number) => string): string {
  return limit === null ? text(used) : `${text(used)} of ${text(limit)}`;
}

function countText(count: number): string {
  return count.toLocaleString('en');
}

function moneyText(dollars: number): string {
  return `$${dollars.toFixed(2)}`;
}

/** Reads lines of a field; empty ones are none. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Writes the command that starts a run. */
export function startCommand(
  flow: string,
  {
    inputs,
    workers,
    project,
  }: { readonly inputs: Readonly<Record<string, string>>; readonly workers: string; readonly project: string },
): string {
  const { goal, ...others } = inputs;
  return [
    `drover run ${flow}`,
    ...(goal === undefined ? [] : [shellWord(goal)]),
    ...Object.entries(others).map(([name, value]) => `--set ${name}=${shellWord(value)}`),
    ...(workers === '' ? [] : [`--workers ${workers}`]),
    ...(project === '' ? [] : [`--project ${project}`]),
  ].join(' ');
}
