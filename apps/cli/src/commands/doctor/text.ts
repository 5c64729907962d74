/** Formats a finding of the doctor. */
import type { DiagnosisView } from '@drover/api';
import type { Terminal } from '../../terminal/terminal.ts';
import { paint, plain } from '../../terminal/style.ts';

type Finding = DiagnosisView['findings'][number];

const STYLE = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

/** Tells whether a repair is needed: a warning needs none. */
export function isSick({ level }: Finding): boolean {
  return level === 'problem';
}

/** Formats a finding: `problem  adam: meaning → the command that helps`. */
export function findingText({ level, about, says, help }: Finding, { colours }: Terminal): string {
  const command = help === null ? '' : `  ${paint(`→ ${plain(help)}`, 'dim', colours)}`;
  return `${paint(level.padEnd(7), STYLE[level], colours)}  ${plain(about)}: ${plain(says)}${command}`;
}
