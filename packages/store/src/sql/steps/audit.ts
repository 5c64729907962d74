// Steps of larger statements: a row of the audit.
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { NewAudit } from '../../port/people.ts';
import { instant } from '../../connection/values.ts';

/** Add a row at the end of its chain, whose head stays locked until the transaction ends. */
export function auditSteps({ chain, at, actor, body }: NewAudit): RawBuilder<unknown> {
  const hashed = (before: RawBuilder<unknown>, seq: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`encode(sha256(convert_to(${before} || ' ' || ${chain}::text || ' ' || ${seq} || ' ' || ${body}::text, 'UTF8')), 'hex')`;
  return sql`audit_head as (
      insert into audit_heads as head (chain, seq, hash)
      values (${chain}, 1, ${hashed(sql`''`, sql`'1'`)})
      on conflict (chain) do update
        set seq = head.seq + 1, hash = ${hashed(sql`head.hash`, sql`(head.seq + 1)::text`)}
      returning seq, hash
    ), audited as (
      insert into audit (chain, seq, at, actor, body, hash)
      select ${chain}, seq, ${instant(at)}, ${actor}, ${body}, hash from audit_head
    )`;
}
