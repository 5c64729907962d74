/** Finds the escalation that a person names, and tells why an escalation that is over takes no answer. */
import type { Refusal } from '@drover/api';
import type { EscalationRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import type { Reach } from '../workers/find.ts';
import { isOpen } from './context.ts';
import { shortIdOf } from './view.ts';

/** The escalation that was found, or a refusal. */
export type Found = { readonly kind: 'found'; readonly row: EscalationRow } | Refusal;

/** Finds an escalation by a whole id, or by a beginning or end that only one has. If several match, the only open one wins. */
export async function findEscalation({ store }: Context, part: string, by: Reach): Promise<Found> {
  const where = by.project === null ? {} : { projectId: by.project };
  const rows = await store.listEscalations({ idPart: part, limit: 20, ...where });
  const open = rows.filter(isOpen);
  const [row] = open.length === 1 ? open : rows;
  if (row === undefined) {
    const message = `There is no escalation "${part}": see "drover escalation --all"`;
    return { kind: 'refused', code: 'not-found', message };
  }
  if (rows.length === 1 || open.length === 1) return { kind: 'found', row };
  const ids = rows.map(({ id }) => id).join(', ');
  return { kind: 'refused', code: 'invalid', message: `"${part}" matches ${rows.length} escalations: ${ids}` };
}

/** Refuses a late answer: names the answer that won, or why none is needed. */
export function over(row: EscalationRow): Refusal {
  const id = shortIdOf(row.id);
  if (row.resolution !== null) {
    const { by, option } = row.resolution;
    return {
      kind: 'refused',
      code: 'already-resolved',
      message: `${by} already answered ${id} with "${option}"`,
    };
  }
  const why =
    row.status === 'cancelled' || row.status === 'expired'
      ? `${id} no longer needs an answer: it is ${row.status}`
      : `${id} was already settled at its worker`;
  return {
    kind: 'refused',
    code: `already-${row.status}`,
    message: `${why}; see "drover escalation show ${id}"`,
  };
}
