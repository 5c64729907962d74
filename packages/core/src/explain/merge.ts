/** How committed work stands on its way into the default branch: whole sentences, for `drover why`. */
import { duration } from '../taxonomy/wording.ts';
import type { Candidate, Checks, Merge, Review } from '../worker/merge.ts';

const STEPS: Readonly<Record<Review['step'], string>> = {
  candidate: 'Drover finds out what its work is on the newest default branch, beside its worktree.',
  validate: 'The checks of the project run on exactly what would be merged.',
  rebase: 'Its work is rebased in its worktree, so that its agent can resolve the conflicts.',
};

/** Files that are named at most. */
const FILES_SHOWN = 5;

/** What there is to say; nothing while nothing is committed. */
export function aboutMerge(
  { review, candidate, checks, notes }: Merge,
  { name, now }: { readonly name: string; readonly now: number },
): readonly string[] {
  return [
    ...(review === null ? [] : [STEPS[review.step]]),
    ...(candidate === null ? [] : [aboutCandidate(candidate, name)]),
    ...(checks === null ? [] : [aboutChecks(checks, candidate, now)]),
    ...notes.map((one) => `Of its work: ${one}.`),
  ];
}

function aboutCandidate(candidate: Candidate, name: string): string {
  const base = `the default branch at ${short(candidate.base)}`;
  switch (candidate.kind) {
    case 'candidate':
      return `Its commit ${short(candidate.head)} would be merged onto ${base} as ${short(candidate.commit)}.`;
    case 'clash':
      return `Its commit ${short(candidate.head)} conflicts with ${base} in ${shown(candidate.files)}: "drover rebase ${name}" lets its agent resolve that.`;
    case 'contained':
      return `For its commit ${short(candidate.head)} nothing would be merged, because ${base} has all of it: "drover accept ${name} --nothing" ends its task all the same.`;
    default:
      return candidate satisfies never;
  }
}

function aboutChecks({ tree, checks, at, outcome }: Checks, candidate: Candidate | null, now: number): string {
  const ago = `${duration(Math.max(0, now - at))} ago`;
  const isOfThis = candidate?.kind === 'candidate' && candidate.tree === tree;
  const what = isOfThis ? 'exactly that' : 'what it was before';
  if (outcome.kind === 'failed') return `The check "${outcome.command}" failed ${ago} on ${what}.`;
  if (checks === '') return 'The project has no checks.';
  return `The checks of the project passed ${ago} on ${what}.`;
}

function short(commit: string): string {
  return commit.slice(0, 12);
}

function shown(files: readonly string[]): string {
  const first = files.slice(0, FILES_SHOWN).join(', ');
  return files.length > FILES_SHOWN ? `${first} and ${files.length - FILES_SHOWN} more` : first;
}
