// What programs outside are told. Triggers write it (migrations/0001_baseline.sql).
import { sql } from 'kysely';
import type { AnnouncementPage, AnnouncementRow } from '../../port/public/announcements.ts';
import { instant } from '../../connection/values.ts';
import type { Db } from '../db.ts';

/** The end is read by a statement of its own, before the rows: they must be seen by a newer snapshot (docs/adr/0004). */
export async function followAnnouncements(db: Db, after: number | null, limit: number): Promise<AnnouncementPage> {
  const { rows } = await sql<{ settled: number; last: number; floor: number }>`
    select settled, last, coalesce((select id from announcement_floor), 0) as floor from settled_events()`.execute(db);
  const { settled = 0, last = 0, floor = 0 } = rows[0] ?? {};
  const place = { settled, isBehind: settled < last };
  if (after === null) return { items: [], isLost: false, ...place };
  if (after < floor || after > last) return { items: [], isLost: true, ...place };
  const found = await db
    .selectFrom('announcements')
    .selectAll()
    .where('id', '>', after)
    .where('id', '<=', settled)
    .orderBy('id')
    .limit(limit)
    .execute();
  const items = found.map((row) => ({
    id: row.id,
    at: row.at,
    type: row.type,
    projectId: row.project_id,
    workerId: row.worker_id,
    actor: row.actor as AnnouncementRow['actor'],
    subject: row.subject as AnnouncementRow['subject'],
    version: row.version,
  }));
  return { items, isLost: false, ...place };
}

/** Removes those of before a time in epoch milliseconds, and notes up to where they are gone. */
export async function pruneAnnouncements(
  db: Db,
  { before, rowsMax }: { readonly before: number; readonly rowsMax: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (delete from announcements where id = any(array(select id from announcements
        where at < ${instant(before)} order by at limit ${rowsMax})) returning id),
      last as (select max(id) as id from gone),
      noted as (insert into announcement_floor (id) select id from last where id is not null
        on conflict (only_one) do update set id = greatest(announcement_floor.id, excluded.id))
    select count(*)::int as count from gone`.execute(db);
  return rows[0]?.count ?? 0;
}
