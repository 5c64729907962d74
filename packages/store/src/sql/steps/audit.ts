// Steps of larger statements: rows of the audit.
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { rowsIn } from './given.ts';

/** Columns that are given of a row of the audit. */
const AUDITED = { chain: 'text', at: 'double precision', actor: 'text', body: 'text' };

/** Add rows, written down, each at the end of another chain, whose head stays locked until the transaction ends. */
export function auditSteps(entries: string): RawBuilder<unknown> {
  const next = hashed(sql`head.hash`, sql`(head.seq + 1)::text`, sql`entry`);
  return sql`audit_entries as (${rowsIn(AUDITED, entries)}), audit_head as (
      insert into audit_heads as head (chain, seq, hash)
      select chain, 1, ${hashed(sql`''`, sql`'1'`, sql`entry`)} from audit_entries as entry order by chain
      on conflict (chain) do update
        set seq = head.seq + 1, hash = (select ${next} from audit_entries as entry where entry.chain = head.chain)
      returning chain, seq, hash
    ), audited as (
      insert into audit (chain, seq, at, actor, body, hash)
      select chain, audit_head.seq, to_timestamp(at / 1000), actor, body, hash
      from audit_head join audit_entries using (chain)
    )`;
}

function hashed(before: RawBuilder<unknown>, seq: RawBuilder<unknown>, of: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`encode(sha256(convert_to(${before} || ' ' || ${of}.chain || ' ' || ${seq} || ' ' || ${of}.body, 'UTF8')), 'hex')`;
}
