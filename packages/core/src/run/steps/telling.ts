/** Tells people what a run has made, and what they should know before they say yes. */
import type { Run } from '../run.ts';

/** Says in some lines what a merge brings, and what was not done. */
export function tellWork(run: Run, commit: string): string {
  const notes = run.stages.flatMap(({ name, settled }) =>
    settled === null || settled.as === 'passed' ? [] : [`${name} is ${settled.as}: ${settled.why}`],
  );
  const summary = run.stages
    .flatMap(({ items }) => items.map(({ output }) => output.summary))
    .findLast((text) => text !== '');
  const heading = notes.length === 0 ? 'All stages passed.' : 'This work is not whole:';
  return [`Merge commit ${commit}?`, ...(summary === undefined ? [] : [summary]), heading, ...notes].join('\n');
}
