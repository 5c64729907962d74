/** Tells people of work that waits for them. */
import { rewrittenText } from '../../policy/texts.ts';
import type { Merge } from '../../worker/merge.ts';

/** The work, and what stands in the way of its merge. */
export function tellWork({ why, candidate }: Merge): string {
  if (candidate?.kind === 'contained')
    return `${why}; the default branch has all of it already: nothing would be merged`;
  if (candidate?.kind === 'rewritten')
    return `${why}; ${rewrittenText(candidate)}, and its agent gave up the conflicts`;
  if (candidate?.kind !== 'clash') return why;
  return `${why}; it conflicts with the default branch in ${candidate.files.length} file(s), which its agent gave up`;
}
