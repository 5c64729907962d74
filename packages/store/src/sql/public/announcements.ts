// Reads announcements for programs outside. Triggers write them (migrations/0001_baseline.sql).
import { sql } from 'kysely';
import type { AnnouncementPage } from '../../port/public/announcements.ts';
import type { Db } from '../db.ts';

/**
 * Reads the announcements after the cursor; with null only where a new follower begins. The end is read by a statement
 * of its own, before the rows: they must be seen by a newer snapshot (docs/adr/0004).
 */
export async function followAnnouncements(db: Db, after: number | null, limit: number): Promise<AnnouncementPage> {
  const { rows } = await sql<{ settled: number; last: number; floor: number }>`
    select settled, last, coalesce((select id from announcement_floor), 0) as floor from settled_events()`.execute(db);
  const { settled = 0, last = 0, floor = 0 } = rows[0] ?? {};
  const place = { settled, isBehind: settled < last };
  if (after === null) return { items: [], isLost: false, ...place };
  if (after < floor || after > last) return { items: [], isLost: true, ...place };
  const items = await db
    .selectFrom('announcements')
    .selectAll()
    .where('id', '>', after)
    .where('id', '<=', settled)
    .orderBy('id')
    .limit(limit)
    .execute();
  return { items, isLost: false, ...place };
}
