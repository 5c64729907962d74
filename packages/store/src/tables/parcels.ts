// The columns of parcels.
import type { Instant, Int8 } from './columns.ts';

/** Parcels on their way between machines; `machine_id` is the sender. Unique by both. Unlogged. */
export interface ParcelTable {
  machine_id: string;
  sha256: string;
  size_bytes: Int8;
  opened_at: Instant;
}

/** The parts of a parcel that are there. Unlogged. */
export interface ParcelChunkTable {
  machine_id: string;
  sha256: string;
  number: number;
  content: Buffer;
}

/** Machines that may read a parcel without a command that names it. */
export interface ParcelReaderTable {
  machine_id: string;
  sha256: string;
  reader_id: string;
}
