// Removes old announcements.
import { sql } from 'kysely';
import { instant } from '../../connection/values.ts';
import type { Trx } from '../db.ts';

/** Removes announcements from before a time in epoch milliseconds, and notes the last id that is gone. */
export async function pruneAnnouncements(
  db: Trx,
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
