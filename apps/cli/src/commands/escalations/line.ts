/** An open question in one line. */
import type { EscalationView } from '@drover/api';
import { plain } from '../../terminal/style.ts';

/** What is asked, and how to see it whole and answer it. `about` is named where a page is about several workers. */
export function escalationLine({ title, shortId }: Pick<EscalationView, 'title' | 'shortId'>, about?: string): string {
  const what = about === undefined ? plain(title) : `${about}: ${plain(title)}`;
  return `a question waits for you (${what}): drover escalations show ${shortId}`;
}
