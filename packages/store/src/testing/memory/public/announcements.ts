// Reads announcements for programs outside, in memory: the same as sql/public/announcements.ts.
import type { AnnouncementPage } from '../../../port/public/announcements.ts';
import type { MemoryDatabase } from '../engine/database.ts';

/** Lists announcements oldest first, and only those that no transaction under way can come before. */
export function followAnnouncements(db: MemoryDatabase, after: number | null, limit: number): AnnouncementPage {
  const under = [...db.announcements.keysUnderWay()];
  const last = db.lastId;
  const settled = Math.min(last, ...under.map((id) => id - 1));
  const place = { settled, isBehind: settled < last };
  if (after === null) return { items: [], isLost: false, ...place };
  if (after < db.announcementFloor.value || after > last) return { items: [], isLost: true, ...place };
  const items = [...db.announcements.values()]
    .filter(({ id }) => id > after && id <= settled)
    .toSorted((one, other) => one.id - other.id)
    .slice(0, limit);
  return { items, isLost: false, ...place };
}

/** Removes announcements from before a time, and notes the last id that is gone. */
export function pruneAnnouncements(db: MemoryDatabase, before: number): void {
  for (const [id, { at }] of db.announcements) {
    if (at >= before) continue;
    db.remove(db.announcements, id);
    db.announcementFloor.value = Math.max(db.announcementFloor.value, id);
  }
}
