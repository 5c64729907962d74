/** Formats the lines above the work under review. */
import type { ReviewView } from '@drover/api';
import { countHidden } from '@drover/core/hidden-characters';
import type { Page } from '../../../program/answer.ts';
import { ago, many, paint, plain } from '../../../terminal/style.ts';
import { lackLines, workerLine } from '../../worker/text.ts';
import { checksLines } from './checks.ts';
import { isLoud, noteText } from './notes.ts';

/** Names the work, the work's base, and facts that the diff does not show. */
export function reviewHead(review: ReviewView, page: Page): string {
  const { worker } = review;
  return [
    workerLine(worker, page),
    ...(worker.prompt === null ? [] : [`Task: ${plain(worker.prompt)}`]),
    ...workLines(review, worker.branch, page),
    baseLine(review, page),
    ...rewrittenLines(review, page),
    ...checksLines(review, page),
    ...noteLines(review, review.work?.notes ?? [], page),
    ...lackLines(worker, page),
    '',
  ].join('\n');
}

/** Describes commits as {@link reviewHead} does, without a worker. */
export function workHead(
  work: Work,
  { where, notes }: { readonly where: string; readonly notes: readonly string[] },
  page: Page,
): readonly string[] {
  return [...workLines(work, where, page), baseLine(work, page), ...noteLines(work, notes, page)];
}

type Work = Pick<ReviewView, 'commits' | 'head' | 'standing' | 'dropped' | 'notes'>;

function workLines({ commits, head, standing }: Work, where: string, { now, terminal }: Page): string[] {
  const when = `, made ${ago(now - standing.workedAt)}`;
  const list = commits.map(
    ({ commit, subject, author }) => `  ${commit.slice(0, 12)} ${plain(subject)} (${plain(author)})`,
  );
  const hidden = commits.reduce((sum, { subject, author }) => sum + countHidden(subject) + countHidden(author), 0);
  const found = `  ${many(hidden, 'hidden character')} in the commits; marked as ⟨U+…⟩`;
  return [
    `Work: ${many(commits.length, 'commit')} on ${plain(where)} up to ${head.slice(0, 12)}${when}`,
    ...list,
    ...(hidden === 0 ? [] : [paint(found, 'yellow', terminal.colours)]),
  ];
}

function baseLine({ standing, dropped }: Work, { now }: Page): string {
  const { base: began, basedAt, behind, upstream } = standing;
  const place =
    behind === 0 ? 'the newest of the default branch' : `${many(behind, 'commit')} behind the default branch`;
  const newest = dropped === null ? place : 'no longer in the default branch';
  const from = upstream === null ? '' : lagOf(upstream);
  return `Base: ${began.slice(0, 12)}, ${newest}, made ${ago(now - basedAt)}${from}`;
}

/** Describes the lag of the default branch itself, and the option that brings it up to date. */
function lagOf({ name, behind, follows }: NonNullable<NonNullable<ReviewView['standing']>['upstream']>): string {
  const offer = follows ? '' : ' (follow = "upstream" in [repo] of drover.toml brings it up to date)';
  return `; that is ${many(behind, 'commit')} behind ${plain(name)}${offer}`;
}

/** Names the dropped commit: it is not shown, and nothing is merged on it. */
function rewrittenLines({ dropped, worker }: ReviewView, { terminal }: Page): string[] {
  if (dropped === null) return [];
  const text = `Merge: the default branch was rewritten: ${dropped.slice(0, 12)} is no longer in it; the diff shows the later commits, which must be rebased before you can accept them ("drover rebase ${worker.name}" does it now)`;
  return [paint(text, 'yellow', terminal.colours)];
}

function noteLines({ notes }: Work, ofMerge: readonly string[], { terminal }: Page): string[] {
  const loud = (text: string): string => paint(text, 'yellow', terminal.colours);
  const judged = ofMerge.map((note) => loud(`  ${plain(note)}`));
  const found = notes.map((note) => (isLoud(note) ? loud(`  ${noteText(note)}`) : `  ${noteText(note)}`));
  if (notes.length === 0 && judged.length === 0)
    return ['Notes: no hidden characters, binary files, links or changed modes'];
  return ['Notes:', ...judged, ...found];
}
