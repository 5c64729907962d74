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

/** The words of the notice: who, and why. */
export function noticeOf({ worker, said }: Pick<EventView, 'worker' | 'said'>, call: Call): Notice {
  const what = call === 'review' ? 'has work for your review' : 'needs you';
  return { title: `${plain(worker)} ${what}`, text: plain(said.at(-1) ?? '') };
}
