/**
 * Builds the dashboard into `dist`, or nothing if `dist` is the build of the present sources. The files come into place together, so
 * that a coordinator never serves half of a build: `node apps/dashboard/build.ts`.
 */
import { createHash } from 'node:crypto';
import { chmod, glob, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const ROOM = import.meta.dirname;
const DIST = path.join(ROOM, 'dist');
/** Sources of a build, from the repository's root: also those of the rooms that the pages use. */
const SOURCES = [
  'apps/dashboard/{src/**/*.{ts,tsx,css},index.html,build.ts,package.json}',
  'packages/core/src/hidden-characters.ts',
  'packages/protocol/src/review/diff-lines.ts',
  'package-lock.json',
];
/** File in `dist` that names the sources of the build. */
const STAMP = 'sources.sha256';

// Libraries have a slow half for development, whatever the caller of this program is at.
// oxlint-disable-next-line no-restricted-properties -- a program that builds, and no part of what it builds
process.env['NODE_ENV'] = 'production';
await buildDashboard();

async function buildDashboard(): Promise<void> {
  const sources = await sumOfSources();
  if ((await readFile(path.join(DIST, STAMP), 'utf8').catch(() => '')) === sources) return;
  // Loaded only to build: each start of a checkout asks whether there is something to build.
  const { build } = await import('vite');
  const place = await mkdtemp(`${DIST}-`);
  try {
    await build({
      root: ROOM,
      configFile: false,
      logLevel: 'error',
      build: {
        outDir: place,
        emptyOutDir: true,
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        // From these on browsers know `light-dark`, by which a part of a page may be dark.
        target: ['chrome123', 'firefox121', 'safari17.5'],
      },
    });
    await writeFile(path.join(place, STAMP), sources);
    // A temporary directory is closed to others, of whom one may run the coordinator.
    await chmod(place, 0o755);
    await rm(DIST, { recursive: true, force: true });
    // Another build that has finished meanwhile is of the same sources.
    await rename(place, DIST).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY') throw error;
    });
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function sumOfSources(): Promise<string> {
  const root = path.resolve(ROOM, '../..');
  const hash = createHash('sha256');
  for (const file of (await Array.fromAsync(glob(SOURCES, { cwd: root }))).toSorted())
    hash.update(`${file}\0`).update(await readFile(path.join(root, file)));
  return hash.digest('hex');
}
