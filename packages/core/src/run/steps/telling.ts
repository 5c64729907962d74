/** Tells people about a plan and a merge, before they say yes. */
import { planOf } from '../find.ts';
import { chainOf } from '../overlap.ts';
import type { Part } from '../result.ts';
import type { Run, StageState } from '../run.ts';
import { findingLine } from '../texts.ts';

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

/** Says how many parts go side by side, and which wait for another because they may touch the same files. */
export function tellParts(parts: readonly Part[], workers: number): string {
  const before = chainOf(parts);
  const waits = parts.flatMap(({ title }, at) => {
    const other = parts[before[at] ?? -1];
    return other === undefined ? [] : [`"${title}" begins after "${other.title}": they may touch the same files.`];
  });
  const first = before.filter((one) => one === null).length;
  const count = parts.length === 1 ? 'this part' : `these ${parts.length} parts`;
  return [`Start ${count}, ${Math.min(first, workers)} at the same time?`, ...waits].join('\n');
}
