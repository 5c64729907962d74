// Records who asked for what. The server chains the rows, so that adding one costs no round trip of its own.
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AuditFilter, AuditHead, AuditPlace, AuditRow, NewAudit } from '../../port/people.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import type { Db, Trx } from '../db.ts';
import { isSince, list } from '../steps/rows.ts';
import { textOf } from '../steps/given.ts';
import { auditSteps } from '../steps/audit.ts';

/** Adds a row to the audit. Its chain stays locked until the transaction ends: take it last. */
export async function audit(db: Trx, entry: NewAudit): Promise<void> {
  await send(db, sql`with ${auditSteps(textOf([entry]))} select`);
}

/** Lists rows of the audit, newest first. */
export async function listAudit(db: Db, { actor, since, after, limit }: AuditFilter): Promise<readonly AuditRow[]> {
  let query = db
    .selectFrom('audit')
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy(sql`chain collate "C"`)
    .orderBy('seq', 'desc')
    .limit(limit);
  if (actor !== undefined) query = query.where((where) => where.or([where('actor', '=', actor), isNamed(actor)]));
  query = query.where(isSince('at', since));
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

/** Reads rows chain by chain, from behind a place on. */
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
  return list(db, 'auditHeads', {}, { end: sql`order by chain collate "C"` });
}
