// Lists the repository's rooms, and reads what docs/architecture.md says about each.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** The repository's root directory. */
export const REPOSITORY: string = path.resolve(import.meta.dirname, '../../..');

const manifestSchema = z.object({
  name: z.string(),
  private: z.boolean().optional(),
  type: z.string().optional(),
  exports: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});

/** Fields of a `package.json` that the checks read. */
export type Manifest = z.output<typeof manifestSchema>;

/** Directory with a `package.json` of its own. */
export type Room = {
  /** Path from the repository's root, such as `packages/core`. */
  readonly directory: string;
  readonly manifest: Manifest;
};

/** Every room of the workspaces: `apps/*`, `packages/*`, `tools` and `bench`. */
export function listRooms(): readonly Room[] {
  const directories = ['apps', 'packages'].flatMap((parent) =>
    readdirSync(path.join(REPOSITORY, parent)).map((name) => `${parent}/${name}`),
  );
  return [...directories, 'tools', 'bench']
    .filter((directory) => existsSync(path.join(REPOSITORY, directory, 'package.json')))
    .map((directory) => ({ directory, manifest: readManifest(directory) }));
}

/** Reads the `package.json` of a directory; `.` is the repository's own. */
export function readManifest(directory: string): Manifest {
  return manifestSchema.parse(JSON.parse(readText(`${directory}/package.json`)));
}

/** Reads a text file by its path from the repository's root. */
export function readText(file: string): string {
  return readFileSync(path.join(REPOSITORY, file), 'utf8');
}

/** The layer of a room: it imports only lower ones. Apps are on top; tools and bench may import every room. */
export type Layer = number | 'app' | 'any';

/**
 * Reads the layers from the table of rooms in docs/architecture.md, so that the page and the checks cannot differ.
 * A row reads ``| `packages/core` | 0 | what it is for |``.
 */
export function layersOf(page: string): ReadonlyMap<string, Layer> {
  const layers = new Map<string, Layer>();
  for (const [, directory, layer] of page.matchAll(/^\| *`([a-z/-]+)` *\| *(\d+|app|any) *\|/gmu)) {
    if (directory === undefined || layer === undefined) continue;
    layers.set(directory, layer === 'app' || layer === 'any' ? layer : Number(layer));
  }
  return layers;
}
