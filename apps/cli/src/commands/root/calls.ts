/** Events that call for a person, and the text of the notice. */
import type { EventView } from '@drover/api';
import type { Notice } from '../../terminal/notice.ts';
import { clockTime, paint, plain } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** Reason for calling a person: to answer, or to review. */
export type Call = 'question' | 'review';

/** Returns the reason for which an event calls a person; null: none. */
export function callOf({ from, to, asks }: Pick<EventView, 'from' | 'to' | 'asks'>): Call | null {
  if (asks) return 'question';
  if (from === to) return null;
  if (to === 'needs_input' || to === 'error') return 'question';
  return to === 'needs_review' ? 'review' : null;
}

/** A line that says that a person is asked, without a reason. */
const BARE = /^needs a person \(\w+\)$/u;
/** The part of a line before its reason. */
const BEFORE_WHY = /^(?:\w+ → \w+|needs a person \(\w+\)): /u;

/** Makes the notice: the worker, and the reason. */
export function noticeOf({ worker, said }: Pick<EventView, 'worker' | 'said'>, call: Call): Notice {
  const what = call === 'review' ? 'has work for your review' : 'needs you';
  const why =
    said.findLast((line) => BEFORE_WHY.test(line)) ?? said.findLast((line) => !BARE.test(line)) ?? said.at(-1) ?? '';
  return { title: `${plain(worker)} ${what}`, text: plain(why.replace(BEFORE_WHY, '')) };
}

/** Formats the line of `drover up`: the time, the notice, and the command that shows more. */
export function callLine(
  event: Pick<EventView, 'at' | 'worker' | 'said'>,
  call: Call,
  { colours }: Pick<Terminal, 'colours'>,
): string {
  const { title, text } = noticeOf(event, call);
  const command = `drover ${call === 'review' ? 'review' : 'why'} ${plain(event.worker)}`;
  return `${paint(clockTime(event.at), 'dim', colours)} ${paint(title, 'bold', colours)}: ${text} (${command})`;
}

/** Ways to call a person at a terminal. */
export interface Calls {
  /** True if the bell rings for work that waits for a review; the bell always rings for questions. */
  readonly bellOnReview: boolean;
  /** True if the desktop shows a notice. */
  readonly notices: boolean;
}

/** Returns the effects of this call in the terminal and on the desktop. */
export function callsFor(
  call: Call,
  { bellOnReview, notices }: Calls,
): { readonly rings: boolean; readonly shows: boolean } {
  return { rings: call === 'question' || bellOnReview, shows: notices };
}
