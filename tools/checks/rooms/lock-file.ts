// Checks that `npm ci` leaves no tool without its program on any platform. That it accepts the rooms, each set-up shows.
import { z } from 'zod';

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ optionalDependencies: z.record(z.string(), z.string()).default({}) })),
});

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
