/** Formats the error log. */
import type { ErrorView } from '@drover/api';
import type { Page } from '../../program/answer.ts';
import { ago, paint, plain, table } from '../../terminal/style.ts';

/** Characters of the end of an id: the beginning is its time. */
const SHORT_ID = 8;

/** The page of `drover report errors`. */
export function errorsText(
  errors: readonly ErrorView[],
  { now, terminal, all }: Page & { readonly all: boolean },
): string {
  if (errors.length === 0)
    return all ? 'No errors.' : 'No open errors. "drover report errors --all" shows the others too.';
  const { colours, columns } = terminal;
  const rows = errors.map((error) => [
    error.id.slice(-SHORT_ID),
    ago(now - error.at),
    error.worker ?? '',
    paint(error.code, isOpen(error) ? 'red' : 'dim', colours),
    error.recovered ? paint('recovered', 'green', colours) : (ENDS[error.outcome ?? ''] ?? error.strategy ?? ''),
    plain(error.message),
  ]);
  return [table(rows, columns), ...helpLines(errors)].join('\n');
}

/** Outcomes of errors that did not recover, once their incident is over. */
const ENDS: Readonly<Record<string, string>> = {
  cancelled: 'called off',
  escalated: 'taken over',
  resolved: 'answered',
};

function isOpen({ recovered, outcome }: ErrorView): boolean {
  return !recovered && outcome === null;
}

/** Lists remedies of the newest open error. */
function helpLines(errors: readonly ErrorView[]): string[] {
  const open = errors.find(isOpen);
  if (open === undefined || open.remediation.length === 0) return [];
  const more = `Show one: drover report error ${open.id.slice(-SHORT_ID)}`;
  return ['', `What helps against ${open.code}:`, ...open.remediation.map((help) => `  ${plain(help)}`), '', more];
}
