// Checks that `npm ci` accepts this checkout, on every platform.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Room } from '../source/rooms.ts';

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;
const declared = z.record(z.string(), z.string()).default({});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dependencies: declared,
      devDependencies: declared,
      optionalDependencies: declared,
      peerDependencies: declared,
    }),
  ),
});

/** Says which rooms the lock file knows with other dependencies than they declare. */
export function unlockedRooms(lock: string, rooms: readonly Room[]): readonly string[] {
  const { packages } = lockSchema.parse(JSON.parse(lock));
  return rooms
    .filter(({ directory, manifest }) => {
      const locked = packages[directory];
      return locked === undefined || !KINDS.every((kind) => isDeepStrictEqual(locked[kind], manifest[kind]));
    })
    .map(({ directory }) => `package-lock.json differs from ${directory}/package.json: run npm install`);
}

/**
 * Says which programs for another platform the lock file lacks. npm drops those that its registry did not have when the
 * file was written, and `npm ci` then refuses the file, or leaves a tool without its program on that platform.
 */
export function unlockedPlatforms(lock: string): readonly string[] {
  const { packages } = lockSchema.parse(JSON.parse(lock));
  return Object.entries(packages).flatMap(([place, { optionalDependencies }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !(`node_modules/${name}` in packages) && !(`${place}/node_modules/${name}` in packages))
      .map((name) => `package-lock.json lacks ${name}, which ${place} may need: choose a version that has it`),
  );
}
