// The columns of announcements.
import type { Generated } from 'kysely';
import type { Instant, Int8, Json } from '../columns.ts';

/** What programs outside are told. Only triggers write it. */
export interface AnnouncementTable {
  id: Generated<Int8>;
  at: Instant;
  type: string;
  project_id: string | null;
  worker_id: string | null;
  actor: Json<unknown> | null;
  subject: Json<unknown>;
  version: Int8;
}

/** At most one row: the id up to which announcements may be gone. */
export interface AnnouncementFloorTable {
  only_one: Generated<boolean>;
  id: Int8;
}
