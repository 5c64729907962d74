/** How is an open question told in one line? */
import type { EscalationView } from '@drover/api';
import { plain } from './style.ts';

/** A question, and how to see it whole and answer it. */
export function escalationLine({ title, shortId }: Pick<EscalationView, 'title' | 'shortId'>): string {
  return `a question waits for you: ${plain(title)}: drover escalations show ${shortId}`;
}
