/** Formats the audit. */
import type { AuditVerdict, AuditView } from '@drover/api';
import type { Page } from '../../program/answer.ts';
import type { Listing } from '../../terminal/lists/listing.ts';
import { paint, plain } from '../../terminal/style.ts';

/** The list of `drover audit`, whose rows are the oldest first, like a log. */
export const AUDIT: Listing<AuditView> = {
  empty: 'The audit is empty.',
  nameOf: ({ action }) => action,
  columns: [
    { name: 'TIME', of: ({ at }) => new Date(at).toISOString().slice(0, 19).replace('T', ' ') },
    { name: 'BY', of: ({ actor }) => plain(actor) },
    { name: 'ACTION', of: ({ action }) => plain(action) },
    { name: 'ABOUT', of: ({ about }) => plain(about) },
    { name: 'DETAILS', of: ({ details }) => plain(factsOf(details)) },
  ],
};

function factsOf(details: Readonly<Record<string, unknown>>): string {
  const told = Object.entries(details).filter(([name]) => name !== 'sum' && name !== 'requestId');
  return told.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`).join(' ');
}

/** A chain proves nothing about facts without a row, such as a token that was added to the database by SQL. */
const PROVES =
  'This proves that no row was changed, removed or inserted. It does not prove that every change has a row: a program that writes to the database directly leaves none.';

/** Prints the result, its proof, and the heads to keep. */
export function verdictText({ rows, chains, wrong, heads }: AuditVerdict, { terminal: { colours } }: Page): string {
  const counted = `${rows} rows in ${chains} chains`;
  if (wrong !== null)
    return `${paint('broken', 'red', colours)}: ${plain(wrong.says)} (${wrong.how}). Verified so far: ${counted}.`;
  const fleet = heads.find(({ chain }) => chain === 'fleet');
  const head = fleet === undefined ? '' : `\nfleet ${fleet.seq} ${fleet.hash}`;
  return `${paint('whole', 'green', colours)}: ${counted}.\n${PROVES}${head}`;
}
