// The columns of agent profiles.
import type { ColumnType, RawBuilder } from 'kysely';
import type { Instant, Int8, Json } from './columns.ts';

/** `profiles`: agent profiles beside those of the build. */
export interface ProfileTable {
  name: string;
  revision: ColumnType<Int8, never, RawBuilder<Int8>>;
  document: Json<unknown>;
  updated_at: Instant;
}
