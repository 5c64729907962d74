/** Formats the result of the project's checks on work under review, and the effect of its merge. */
import type { ReviewView } from '@drover/api';
import type { Page } from '../../../program/answer.ts';
import { ago, many, paint, plain } from '../../../terminal/style.ts';
import { writtenPath } from './paths.ts';

type Work = NonNullable<ReviewView['work']>;
type Checks = NonNullable<Work['checks']>;

/** Lines of a failed check's output that are shown: its end, which mostly holds the reason. */
const OUTPUT_LINES_MAX = 15;
/** Maximum number of conflicting files that are named. */
const FILES_MAX = 5;

/** Formats a line on the checks, with the output of a failed one, and a line on a merge that is not plain. */
export function checksLines({ work, head, worker }: ReviewView, page: Page): string[] {
  if (work === null) return [];
  const { candidate, checks, step } = work;
  // Facts about an earlier commit say nothing about this one.
  const isOfThis = candidate !== null && candidate.head === head;
  if (!isOfThis) return [`Checks: not run on this commit yet${step === null ? '' : '; they are running'}`];
  return [...mergeLines(candidate, worker.name), ...resultLines(work, checks, page)];
}

function mergeLines({ kind, files }: NonNullable<Work['candidate']>, worker: string): string[] {
  switch (kind) {
    case 'candidate':
    // Printed with the base.
    case 'rewritten':
      return [];
    case 'clash': {
      const more = files.length > FILES_MAX ? ` and ${files.length - FILES_MAX} more` : '';
      const named = files.slice(0, FILES_MAX).map(writtenPath).join(', ');
      return [`Merge: conflicts with the newest default branch in ${named}${more}`];
    }
    case 'contained':
      return [
        `Merge: nothing to merge, the default branch already contains all of it; "drover accept ${worker} --nothing" ends the task`,
      ];
    default:
      return kind satisfies never;
  }
}

function resultLines({ candidate, step }: Work, checks: Checks | null, { now, terminal }: Page): string[] {
  if (step === 'checks' || step === 'base') return ['Checks: running'];
  if (checks === null) return ['Checks: not run yet'];
  const when = ago(now - checks.at);
  const isSame = candidate?.tree === checks.tree;
  const what = isSame
    ? 'on the result of the merge'
    : 'before the default branch moved; they run again before the merge';
  switch (checks.result) {
    case 'none':
      return ['Checks: none, because the project has no validate commands'];
    case 'passed':
      return [`Checks: passed ${when}, ${what}`];
    case 'failed': {
      const line = `Checks: "${plain(checks.command ?? '')}" failed ${when}, ${what}`;
      return [paint(line, 'red', terminal.colours), ...outputLines(checks.output ?? '')];
    }
    default:
      return checks.result satisfies never;
  }
}

function outputLines(output: string): string[] {
  const lines = output.trimEnd().split('\n');
  const left = lines.length - OUTPUT_LINES_MAX;
  const shown = lines.slice(-OUTPUT_LINES_MAX).map((line) => `  ${line}`.trimEnd());
  return left > 0 ? [`  … ${many(left, 'line')} before`, ...shown] : shown;
}
