/** Says in whole sentences how far committed work is on its way into the default branch, for `drover why`. */
import { rewrittenText } from '../policy/texts.ts';
import { duration } from '../taxonomy/wording.ts';
import type { CheckPlace } from '../placement/check-place.ts';
import type { Candidate, Checks, ConflictCount, Merge } from '../merge/state.ts';
import { needsLease, trainOf } from '../merge/step.ts';
import type { Doing, MergeStep, Offer, SentBack } from '../merge/step.ts';

const PARTS: Readonly<Record<Doing['kind'], string>> = {
  candidate: 'Drover tries the merge of its work with the newest default branch, outside of its worktree.',
  checks: 'The checks of the project run on exactly the files that would be merged.',
  base: 'The checks of the project run on the default branch alone, because they failed with its work.',
  rebase: 'Drover rebases its work in its worktree, and its agent resolves conflicts there.',
};

/** Files that are named at most. */
const FILES_SHOWN = 5;

/** Returns the sentences; none while nothing is committed. */
export function aboutMerge(
  { step, candidate, checks, notes, sentBack, offer, conflicts }: Merge,
  { name, now }: { readonly name: string; readonly now: number },
): readonly string[] {
  return [
    ...aboutTrain(step),
    ...(step.kind === 'extending' || step.kind === 'checking' ? aboutCheckPlace(step.on) : []),
    ...(sentBack === null ? [] : [aboutSentBack(sentBack, now)]),
    ...(step.kind === 'reviewing' ? [PARTS[step.doing.kind]] : []),
    // Findings from before the conflicts hold no more.
    ...(conflicts?.open === true ? [aboutConflicts(conflicts)] : aboutFindings({ candidate, checks }, { name, now })),
    ...(offer === undefined ? [] : [aboutOffer(offer, { candidate, now })]),
    ...notes.map((one) => `About its work: ${one}.`),
  ];
}

function aboutConflicts({ onto }: ConflictCount): string {
  return `Its agent is resolving its conflicts with the default branch${onto === '' ? '' : ` at ${short(onto)}`}.`;
}

function aboutFindings(
  { candidate, checks }: Pick<Merge, 'candidate' | 'checks'>,
  { name, now }: { readonly name: string; readonly now: number },
): readonly string[] {
  return [
    ...(candidate === null ? [] : [aboutCandidate(candidate, name)]),
    ...(checks === null ? [] : [aboutChecks(checks, candidate, now)]),
  ];
}

/** Says where the work stands among the accepted work that is checked and published together. */
function aboutTrain(at: MergeStep): readonly string[] {
  if (at.kind === 'aboard') {
    const { name, place, of } = at.conductor;
    return [`It is in the merge train of "${name}", in place ${place} of ${of}.`];
  }
  if (at.kind === 'waiting' && at.accept.red !== null)
    return [
      `The default branch at ${short(at.accept.red)} fails the checks by itself: its merge waits until that branch moves.`,
    ];
  const train = trainOf(at);
  if (train === null || !needsLease(at)) return [];
  const names = [train.conductor, ...train.members].map(({ name }) => name);
  const base = at.kind === 'building' ? '' : `, on ${short(at.own.base)}`;
  const chain = [`It leads a merge train: ${names.join(', ')}, each on top of the one before${base}.`];
  if (at.kind !== 'checking') return chain;
  const what = at.prefix === 0 ? 'the default branch alone' : names.slice(0, at.prefix).join(', ');
  return [...chain, `The checks run on ${what}.`];
}

/** Says on which machine the checks run, and why there. */
function aboutCheckPlace(on: CheckPlace | null): readonly string[] {
  return on === null ? [] : [`Its checks run on "${on.machine}": ${on.why}.`];
}

function aboutSentBack({ command, before, at }: SentBack, now: number): string {
  return `It was sent back ${duration(Math.max(0, now - at))} ago: the check "${command}" fails with its work and passes with that of ${before.join(', ')}, which came before it.`;
}

function aboutOffer(
  { branch, commit, head, why, at }: Offer,
  { candidate, now }: { readonly candidate: Candidate | null; readonly now: number },
): string {
  const ago = `${duration(Math.max(0, now - at))} ago`;
  const isOld = candidate !== null && candidate.head !== head;
  const rest = isOld
    ? 'Later commits of its agent are not in it.'
    : 'Its task is accepted once the default branch contains it.';
  return `Its commit ${short(head)} was published ${ago} as ${short(commit)} on branch "${branch}"${why === '' ? '' : ` (${why})`}. ${rest}`;
}

function aboutCandidate(candidate: Candidate, name: string): string {
  const base = `the default branch at ${short(candidate.base)}`;
  switch (candidate.kind) {
    case 'candidate':
      return `Its commit ${short(candidate.head)} would be merged onto ${base} as ${short(candidate.commit)}.`;
    case 'clash':
      return `Its commit ${short(candidate.head)} conflicts with ${base} in ${shown(candidate.files)}: "drover rebase ${name}" has its agent resolve the conflicts.`;
    case 'contained':
      return `There is nothing to merge of its commit ${short(candidate.head)}, because ${base} contains all of it: "drover accept ${name} --nothing" ends its task without a merge.`;
    case 'rewritten':
      return `Its commit ${short(candidate.head)} cannot be merged onto ${base}: ${rewrittenText(candidate)}. "drover rebase ${name}" rebases its own commits onto the new one.`;
    default:
      return candidate satisfies never;
  }
}

function aboutChecks({ tree, checks, at, outcome }: Checks, candidate: Candidate | null, now: number): string {
  const ago = `${duration(Math.max(0, now - at))} ago`;
  const isOfThis = candidate?.kind === 'candidate' && candidate.tree === tree;
  const what = isOfThis ? 'exactly this merge' : 'an earlier version';
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
