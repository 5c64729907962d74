/** Finds the disk of a machine that fills first. Workspace and roots may lie on several. */
import type { Host } from '@drover/host';

/** Disk space in bytes. */
type Disk = NonNullable<Awaited<ReturnType<Host['disk']>>>;

/** Disk with the least free space among the disks of the places; null if none can be read. */
export async function tightestDisk(host: Pick<Host, 'disk'>, places: readonly string[]): Promise<Disk | null> {
  const disks = await Promise.all(places.map((place) => host.disk(place)));
  const read = disks.filter((one) => one !== undefined);
  return read.toSorted((one, other) => one.freeBytes - other.freeBytes)[0] ?? null;
}
