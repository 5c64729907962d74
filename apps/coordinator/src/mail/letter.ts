/** Writes a mail about questions: a single question in full, several with one line each. */
import { showHidden } from '@drover/core';
import { withoutDrawn } from '@drover/screen';
import type { EscalationRow } from '@drover/store';
import { contextOf } from '../facts/escalations/context.ts';
import { escalationView, shortIdOf } from '../facts/escalations/view.ts';
import type { Mail } from '../context/mailer.ts';

/** Characters of a subject that mail programs show. */
const SUBJECT_MAX = 120;
/** Lines of the pane that a mail has. */
const PANE_LINES = 20;
/** Questions that one mail lists. */
const LISTED_MAX = 50;

/** Finds a page of a question; undefined: the reader has none. */
export type LinkTo = (row: EscalationRow) => string | undefined;

/**
 * Writes the mail (X14): the row was redacted when it was stored; text from a pane or an agent is shown without control sequences.
 *
 * @param linkTo The page that answers as the reader.
 * @param pageTo The page of the dashboard.
 */
export function letterOf(questions: readonly EscalationRow[], linkTo: LinkTo, pageTo: LinkTo): Omit<Mail, 'to'> {
  const [first, ...others] = questions;
  if (first === undefined) return { subject: '', text: '' };
  return others.length === 0 ? one(first, linkTo, pageTo) : digest(questions, linkTo);
}

function one(row: EscalationRow, linkTo: LinkTo, pageTo: LinkTo): Omit<Mail, 'to'> {
  const view = escalationView(row);
  const { pane, prompt } = contextOf(row);
  const link = linkTo(row);
  const page = pageTo(row);
  const text = [
    ...shown(row.title),
    ...(row.body === '' ? [] : ['', ...shown(withoutDrawn(row.body))]),
    '',
    `Worker  ${whoOf(row)}`,
    ...(prompt === null ? [] : [`Task    ${line(prompt)}`]),
    ...(pane.length === 0
      ? []
      : ['', 'Last lines of its pane', ...pane.slice(-PANE_LINES).map((text) => `  ${line(text)}`)]),
    ...(link === undefined ? [] : ['', 'Answer here within a day; do not forward the link:', `  ${link}`]),
    ...(page === undefined ? [] : ['', 'Or open it on the dashboard, where you are signed in:', `  ${page}`]),
    '',
    'Answer with one of these commands:',
    ...view.commands.map((command) => `  ${line(command)}`),
    `  drover escalation show ${view.shortId}`,
  ];
  return { subject: subjectOf(`${whoOf(row)} needs you: ${row.title}`), text: text.join('\n') };
}

function digest(questions: readonly EscalationRow[], linkTo: LinkTo): Omit<Mail, 'to'> {
  const lines = questions.slice(0, LISTED_MAX).flatMap((row) => {
    const link = linkTo(row);
    const how = `  drover escalation show ${shortIdOf(row.id)}`;
    return [`${whoOf(row)}: ${line(row.title)}`, ...(link === undefined ? [] : [`  ${link}`]), how];
  });
  const more =
    questions.length > LISTED_MAX ? ['', `and ${questions.length - LISTED_MAX} more: drover escalation`] : [];
  return { subject: subjectOf(`${questions.length} questions wait for you`), text: [...lines, ...more].join('\n') };
}

function whoOf({ members, workerName }: EscalationRow): string {
  return members.length > 1 ? `${members.length} workers` : workerName;
}

function subjectOf(words: string): string {
  return `[Drover] ${line(words)}`.slice(0, SUBJECT_MAX);
}

function shown(text: string): readonly string[] {
  return text.split('\n').map(line);
}

function line(text: string): string {
  return showHidden(text.replaceAll(/\s+/gu, ' ').trimEnd());
}
