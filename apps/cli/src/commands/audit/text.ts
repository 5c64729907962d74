/** Formats the audit. */
import type { AuditVerdict, AuditView } from '@drover/api';
import type { Page } from '../../program/answer.ts';
import { paint, plain, table } from '../../terminal/style.ts';

/** Formats a line for each change, oldest first, like a log. */
export function auditText(rows: readonly AuditView[], { terminal }: Page): string {
  if (rows.length === 0) return 'The audit is empty.';
  const lines = rows
    .toReversed()
    .map(({ at, actor, action, about, details }) => [
      new Date(at).toISOString().slice(0, 19).replace('T', ' '),
      plain(actor),
      plain(action),
      plain(about),
      plain(factsOf(details)),
    ]);
  return table(lines, terminal.columns);
}

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
