/** How a finding of the doctor is printed. */
import type { DiagnosisView } from '@drover/api';
import type { Terminal } from '../../terminal/terminal.ts';
import { paint, plain } from '../../terminal/style.ts';

type Finding = DiagnosisView['findings'][number];

const STYLE = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

/** Whether it must be repaired: a warning need not. */
export function isSick({ level }: Finding): boolean {
  return level === 'problem';
}

/** `problem  adam: what it means → the command that helps`. */
export function findingText({ level, about, says, help }: Finding, { colours }: Terminal): string {
  const command = help === null ? '' : `  ${paint(`→ ${plain(help)}`, 'dim', colours)}`;
  return `${paint(level.padEnd(7), STYLE[level], colours)}  ${plain(about)}: ${plain(says)}${command}`;
}
