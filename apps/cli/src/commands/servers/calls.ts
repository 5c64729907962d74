/** Which events call for a person, and what is said to them. */
import type { EventView } from '@drover/api';
import type { Notice } from '../../terminal/notice.ts';
import { plain } from '../../terminal/style.ts';

/** What a person is called for: to answer, or to review. */
export type Call = 'question' | 'review';

/** What an event calls a person for; null: nothing. */
export function callOf({ from, to, asks }: Pick<EventView, 'from' | 'to' | 'asks'>): Call | null {
  if (asks) return 'question';
  if (from === to) return null;
  if (to === 'needs_input' || to === 'error') return 'question';
  return to === 'needs_review' ? 'review' : null;
}

/** A line that says that a person is asked, and not why. */
const BARE = /^needs a person \(\w+\)$/u;
/** What a line says before it says why. */
const BEFORE_WHY = /^(?:\w+ → \w+|needs a person \(\w+\)): /u;

/** The words of the notice: who, and why. */
export function noticeOf({ worker, said }: Pick<EventView, 'worker' | 'said'>, call: Call): Notice {
  const what = call === 'review' ? 'has work for your review' : 'needs you';
  const why = said.findLast((line) => !BARE.test(line)) ?? said.at(-1) ?? '';
  return { title: `${plain(worker)} ${what}`, text: plain(why.replace(BEFORE_WHY, '')) };
}

/** How a person is called, where there is a terminal to look at. */
export interface Calls {
  /** Whether the bell rings for work that waits for a review; for questions it always does. */
  readonly bellOnReview: boolean;
  /** Whether the desktop shows a notice. */
  readonly notices: boolean;
}

/** What this call does in the terminal and on the desktop. */
export function callsFor(
  call: Call,
  { bellOnReview, notices }: Calls,
): { readonly rings: boolean; readonly shows: boolean } {
  return { rings: call === 'question' || bellOnReview, shows: notices };
}
