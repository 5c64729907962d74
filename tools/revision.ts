// Gives the source of some rooms a short name, so that a run of several days can tell whether it is still the same source.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const REPOSITORY = path.join(import.meta.dirname, '..');

/** The same for the same TypeScript files below these rooms, tests aside; paths are relative to the repository. */
export function revisionOf(rooms: readonly string[]): string {
  const hash = createHash('sha256');
  for (const room of rooms)
    for (const name of readdirSync(path.join(REPOSITORY, room), { recursive: true, encoding: 'utf8' }).toSorted())
      if (name.endsWith('.ts') && !name.includes('.test.'))
        hash.update(`${room}/${name}\0`).update(readFileSync(path.join(REPOSITORY, room, name)));
  return hash.digest('hex').slice(0, 12);
}
