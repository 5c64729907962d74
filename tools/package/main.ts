/**
 * `npm run build` makes the package of the platform on which it runs, `drover-VERSION-PLATFORM.tgz`: the packed `drover`, the Node that
 * runs it, the dashboard and the server programs of Postgres. npm installs it where there is no registry (docs/adr/0027).
 * `npm run build -- DIRECTORY --platform darwin-arm64` makes that of another platform there; several may be given.
 */
import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { z } from 'zod';
import { SCRIPTS } from '../../apps/cli/src/commands/completion/scripts.ts';
import { manualPage } from '../docs/commands.ts';
import { bundle } from './bundle.ts';
import { problemsIn } from './contents.ts';
import { nativeParts, platformNamed } from './platforms.ts';
import type { Platform } from './platforms.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The built pages. */
const DASHBOARD = 'apps/dashboard/dist';
const run = promisify(execFile);

const manifestOf = z.object({
  version: z.string(),
  description: z.string(),
  license: z.string(),
});

const { values, positionals } = parseArgs({
  options: { platform: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const into = path.resolve(positionals[0] ?? ROOT);
const place = await mkdtemp(path.join(os.tmpdir(), 'drover-package-'));
try {
  await makeCommon(path.join(place, 'package'));
  for (const name of values.platform ?? [`${process.platform}-${process.arch}`])
    process.stdout.write(`${await pack(platformNamed(name))}\n`);
} finally {
  await rm(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Makes what the packages of all platforms have. */
async function makeCommon(at: string): Promise<void> {
  await bundle(path.join(at, 'apps/cli/dist'), { sourcemap: false });
  await run(process.execPath, [path.join(ROOT, 'apps/dashboard/build.ts')]);
  await cp(path.join(ROOT, DASHBOARD), path.join(at, DASHBOARD), { recursive: true });
  for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md', 'migrations'])
    await cp(path.join(ROOT, name), path.join(at, name), { recursive: true });
  for (const name of ['bin', 'completions', 'man', 'runtime']) await mkdir(path.join(at, name));
  await writeFile(path.join(at, 'man/drover.1'), await manualPage());
  for (const [shell, script] of Object.entries(SCRIPTS))
    await writeFile(path.join(at, `completions/drover.${shell}`), script);
  await copyFile(path.join(ROOT, 'bin/drover'), path.join(at, 'bin/drover'));
  await writeFile(path.join(at, 'bin/drover.mjs'), await launcher());
}

/** Adds the parts of a platform, packs, and looks into what was packed. @returns the file that npm installs. */
async function pack(platform: Platform): Promise<string> {
  const at = path.join(place, 'package');
  const parts = await nativeParts(platform, path.join(place, platform));
  const { version, ...about } = manifestOf.parse(JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')));
  await copyFile(parts.node, path.join(at, 'runtime/node'));
  for (const program of ['bin/drover', 'runtime/node']) await chmod(path.join(at, program), 0o755);
  const { name: postgres, directory } = parts.postgres;
  await rm(path.join(at, 'node_modules'), { recursive: true, force: true });
  // The links are left out, as npm leaves them out: its install script makes them, or Drover does.
  await cp(directory, path.join(at, 'node_modules', postgres), { recursive: true, filter: isForRunning });
  const [os, cpu] = platform.split('-');
  const manifest = {
    name: 'drover',
    version,
    ...about,
    type: 'module',
    bin: { drover: 'bin/drover' },
    man: ['man/drover.1'],
    os: [os],
    cpu: [cpu],
    files: ['CHANGELOG.md', 'apps', 'bin', 'completions', 'man', 'migrations', 'runtime'],
    dependencies: { [postgres]: parts.postgres.version },
    bundleDependencies: [postgres],
  };
  await writeFile(path.join(at, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await run('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: at });
  const packed = path.join(at, `drover-${version}.tgz`);
  const problems = await problemsIn(packed, platform);
  if (problems.length > 0) throw new Error(`The package for ${platform} is wrong:\n${problems.join('\n')}`);
  const file = path.join(into, `drover-${version}-${platform}.tgz`);
  await mkdir(into, { recursive: true });
  await copyFile(packed, `${file}.part`);
  await rename(`${file}.part`, file);
  await rm(packed);
  return `${file} (Node ${parts.nodeVersion}, Postgres ${parts.postgres.version})`;
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
