/** Tells people about a plan and a merge, before they say yes. */
import { planOf } from '../find.ts';
import { chainOf } from '../overlap.ts';
import type { Part } from '../result.ts';
import type { Run, StageState } from '../run.ts';
import { findingLine } from '../texts.ts';
import { spentOf } from './budgets.ts';

/** Says what a merge brings, and what was not done. */
export function tellWork(run: Run, commit: string): string {
  const notes = run.stages.flatMap((stage) => noteOf(run, stage));
  const summary = run.stages
    .flatMap(({ items }) => items.map(({ output }) => output.summary))
    .findLast((text) => text !== '');
  const heading = notes.length === 0 ? 'All stages passed.' : 'This work is not whole:';
  return [`Merge commit ${commit}?`, ...(summary === undefined ? [] : [summary]), heading, ...notes].join('\n');
}

function noteOf(run: Run, { name, settled, rounds }: StageState): readonly string[] {
  if (settled === null || settled.as === 'passed') return [];
  const open = planOf(run, name).kind === 'review' ? (rounds.at(-1)?.findings ?? []) : [];
  return [`${name} is ${settled.as}: ${settled.why}`, ...open.map((finding) => `  ${findingLine(finding)}`)];
}

/** Says what a yes to a plan begins: overlaps of its parts, an estimate, what is left of the budget, and accounts that are limited. */
export function tellPlan(
  run: Run,
  { of, parts, now }: { readonly of: string; readonly parts: readonly Part[]; readonly now: number },
): string {
  const { workers } = run.terms.flow.budget;
  return [tellParts(parts, workers), tellEstimate(run, of, parts), ...tellLeft(run, now), ...tellLimits(run, now)].join(
    '\n',
  );
}

/** Estimates by the longest chain, and by what the workers can do at a time. */
function tellEstimate(run: Run, of: string, parts: readonly Part[]): string {
  const before = chainOf(parts);
  const lengths: number[] = [];
  for (const at of parts.keys()) lengths.push(1 + (lengths[before[at] ?? -1] ?? 0));
  const rounds = Math.max(...lengths, Math.ceil(parts.length / run.terms.flow.budget.workers));
  const stage = run.terms.flow.stages.find(
    (one) => one.kind === 'each' && one.over.kind === 'parts' && one.over.stage === of,
  );
  const timeMs = stage?.budget.timeMs ?? null;
  const most = timeMs === null ? '' : `; the budget of "${stage?.name}" is ${duration(timeMs)}`;
  return `Estimate: ${rounds === 1 ? 'one round' : `${rounds} rounds`} of work${most}.`;
}

function tellLeft({ terms, stages, clock }: Run, now: number): readonly string[] {
  const { timeMs, tokens, money } = terms.flow.budget;
  const items = stages.flatMap((stage) => stage.items);
  const spent = spentOf(items, clock, now);
  const left = [
    ...(timeMs === null ? [] : [duration(Math.max(0, timeMs - spent.timeMs))]),
    ...(tokens === null ? [] : [leftOf(tokens, spent.tokens, 'tokens')]),
    ...(money === null ? [] : [leftOf(money, spent.money, 'dollars')]),
  ];
  return left.length === 0 ? [] : [`Left of the budget: ${left.join(', ')}.`];
}

function leftOf(limit: number, spent: number | null, what: string): string {
  return spent === null ? `${limit} ${what} (none told yet)` : `${Math.max(0, limit - spent)} ${what}`;
}

/** Names limited accounts; of the others nothing is known, which counts neither for nor against them. */
function tellLimits({ limited }: Run, now: number): readonly string[] {
  return Object.entries(limited).map(([account, until]) => {
    const length = until === null ? '' : ` for ${duration(Math.max(0, until - now))} more`;
    return `The account ${account} is limited${length}: its workers begin later.`;
  });
}

const MINUTE = 60_000;

function duration(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${minutes} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** Says how many parts go side by side, and which wait for another because they may touch the same files. */
function tellParts(parts: readonly Part[], workers: number): string {
  const before = chainOf(parts);
  const waits = parts.flatMap(({ title }, at) => {
    const other = parts[before[at] ?? -1];
    return other === undefined ? [] : [`"${title}" begins after "${other.title}": they may touch the same files.`];
  });
  const atOnce = Math.min(before.filter((one) => one === null).length, workers);
  const how = atOnce === 1 ? 'one after another' : `${atOnce} at a time`;
  return [parts.length === 1 ? 'Start this part?' : `Start these ${parts.length} parts, ${how}?`, ...waits].join('\n');
}
