/** Formats an open question in one line. */
import type { EscalationView } from '@drover/api';
import { plain } from '../../terminal/style.ts';

/** Formats the question, and the commands that show and answer it. `about` is named on a page about several workers. */
export function escalationLine({ title, shortId }: Pick<EscalationView, 'title' | 'shortId'>, about?: string): string {
  const what = about === undefined ? plain(title) : `${about}: ${plain(title)}`;
  return `a question waits for your answer (${what}): drover escalation show ${shortId}`;
}
