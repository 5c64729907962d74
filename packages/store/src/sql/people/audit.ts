// Who asked for what. The server chains the rows, so that adding one costs no round trip of its own.
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AuditFilter, AuditHead, AuditPlace, AuditRow, NewAudit } from '../../port/people.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import type { Db } from '../db.ts';
import { rowsOf } from '../given.ts';
import type { Columns } from '../given.ts';

/** Adds a row at the end of its chain, whose head stays locked until the transaction ends: locks that others wait for come first. */
export async function appendAudit(db: Db, entry: NewAudit): Promise<void> {
  await send(db, sql`with ${auditSteps([entry])} select`);
}

/** Columns that are given of a row of the audit. */
const AUDITED = { chain: 'text', at: 'double precision', actor: 'text', body: 'text' } satisfies Columns;

/** The same of several rows, each of another chain, as steps of a larger statement. */
export function auditSteps(entries: readonly NewAudit[]): RawBuilder<unknown> {
  const next = hashed(sql`head.hash`, sql`(head.seq + 1)::text`, sql`entry`);
  return sql`audit_entries as (${rowsOf(AUDITED, entries)}), audit_head as (
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

/** Newest first. */
export async function listAudit(db: Db, { actor, since, after, limit }: AuditFilter): Promise<readonly AuditRow[]> {
  let query = db
    .selectFrom('audit')
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy(sql`chain collate "C"`)
    .orderBy('seq', 'desc')
    .limit(limit);
  if (actor !== undefined) query = query.where((where) => where.or([where('actor', '=', actor), isNamed(actor)]));
  if (since !== undefined) query = query.where('at', '>=', instant(since));
  if (after !== undefined) {
    const [at, chain] = [instant(after.at), sql`${after.chain} collate "C"`];
    const isBehind = sql`chain collate "C" > ${chain} or (chain = ${after.chain} and seq < ${after.seq})`;
    query = query.where(sql<boolean>`at < ${at} or (at = ${at} and (${isBehind}))`);
  }
  return query.execute();
}

function isNamed(name: string): RawBuilder<boolean> {
  return sql<boolean>`substr(actor, strpos(actor, ' ') + 1) = ${name}`;
}

/** All rows, chain by chain, from behind a place on. */
export async function auditPage(db: Db, after: AuditPlace, limit: number): Promise<readonly AuditRow[]> {
  let query = db
    .selectFrom('audit')
    .selectAll()
    .orderBy(sql`chain collate "C"`)
    .orderBy('seq')
    .limit(limit);
  if (after !== null)
    query = query.where(sql<boolean>`(chain collate "C", seq) > (${after.chain} collate "C", ${after.seq})`);
  return query.execute();
}

/** The last row of each chain. */
export async function auditHeads(db: Db): Promise<readonly AuditHead[]> {
  return db
    .selectFrom('audit_heads')
    .selectAll()
    .orderBy(sql`chain collate "C"`)
    .execute();
}
