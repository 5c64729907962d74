/** Which disk of a machine fills first? Workspace and roots may lie on several. */
import type { Host } from '@drover/host';

/** A disk, in bytes. */
type Disk = NonNullable<Awaited<ReturnType<Host['disk']>>>;

/** The disk with the least room of those on which the places lie; null where none can be read. */
export async function tightestDisk(host: Pick<Host, 'disk'>, places: readonly string[]): Promise<Disk | null> {
  const disks = await Promise.all(places.map((place) => host.disk(place)));
  const read = disks.filter((one) => one !== undefined);
  return read.toSorted((one, other) => one.freeBytes - other.freeBytes)[0] ?? null;
}
