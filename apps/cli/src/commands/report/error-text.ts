/** Formats an error. */
import type { ErrorDetail } from '@drover/api';
import type { Page } from '../../program/answer.ts';
import { ago, paint, plain, section } from '../../terminal/style.ts';

/** The page of `drover report error`. */
export function errorText(error: ErrorDetail, { now, terminal }: Page): string {
  const bold = (text: string): string => paint(text, 'bold', terminal.colours);
  const { code, severity, message, details, at, id, worker, machine } = error;
  const who = [worker, machine === null ? null : `on ${machine}`].filter((part) => part !== null).join(' ');
  return [
    bold(plain(message)),
    ...(details === null ? [] : details.split('\n').map(plain)),
    '',
    `${bold('Error')}  ${severity} ${code}, ${ago(now - at)}${who === '' ? '' : `, ${plain(who)}`} (${id})`,
    '',
    ...section(
      bold('What was done'),
      error.history.map((line) => `${ago(now - line.at)}: ${plain(line.action)}`),
    ),
    ...section(bold('Last lines of its pane'), paneLines(error)),
    ...section(bold('Git'), error.git.map(plain)),
    ...section(bold('What may help'), error.remediation.map(plain)),
    ...section(bold('See also'), error.commands.map(plain)),
  ]
    .join('\n')
    .trimEnd();
}

/** Lists lines of the pane, or the reason for their absence. */
function paneLines({ pane, worker }: ErrorDetail): readonly string[] {
  if (pane.length > 0) return pane.map(plain);
  return worker === null ? [] : ['none: the worker had no pane, or its machine did not answer'];
}
