/** Formats the error log. */
import type { ErrorView } from '@drover/api';
import type { Page } from '../../program/answer.ts';
import type { Listing } from '../../terminal/lists/listing.ts';
import { age, paint, plain } from '../../terminal/style.ts';

/** Characters of the end of an id: the beginning is its time. */
const SHORT_ID = 8;

/** The list of `drover report errors`. */
export function errorList({ all }: { readonly all: boolean }): Listing<ErrorView> {
  return {
    empty: all ? 'No errors.' : 'No open errors. "drover report errors --all" shows the others too.',
    nameOf: ({ id }) => id.slice(-SHORT_ID),
    columns: [
      { name: 'ID', of: ({ id }) => id.slice(-SHORT_ID) },
      { name: 'AGE', of: ({ at }, { now }) => age(now - at) },
      { name: 'WORKER', of: ({ worker }) => worker ?? '' },
      { name: 'CODE', of: (error, { terminal }) => paint(error.code, isOpen(error) ? 'red' : 'dim', terminal.colours) },
      { name: 'RECOVERY', of: recoveryOf },
      { name: 'MESSAGE', of: ({ message }) => plain(message) },
    ],
    below: helpLines,
  };
}

function recoveryOf({ recovered, outcome, strategy }: ErrorView, { terminal }: Page): string {
  return recovered ? paint('recovered', 'green', terminal.colours) : (ENDS[outcome ?? ''] ?? strategy ?? '');
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
function helpLines(errors: readonly ErrorView[]): readonly string[] {
  const open = errors.find(isOpen);
  if (open === undefined || open.remediation.length === 0) return [];
  const more = `Show one: drover report error ${open.id.slice(-SHORT_ID)}`;
  return ['', `What helps against ${open.code}:`, ...open.remediation.map((help) => `  ${plain(help)}`), '', more];
}
