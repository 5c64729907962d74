// Keeps a soak in one directory with everything in it, so that it can be stopped and started again.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Disk } from './disks.ts';

/** The program. */
export const DROVER = fileURLToPath(new URL('../../bin/drover', import.meta.url));

/** Variables that would lead Drover, git, tmux or Postgres out of the directory. */
const NOT_INHERITED = /^(XDG_|DROVER_|GIT_|PG|SIM_AGENT_|npm_|TMUX|DATABASE_URL$|NODE_OPTIONS$|INIT_CWD$)/u;

/** Record that is kept between two runs. */
const memory = z.object({
  /** Milliseconds that all runs have lasted together. */
  ranMs: z.number(),
  token: z.string(),
  /** Tells whether the machine has joined already. */
  joined: z.boolean(),
  /** Number of the next task. */
  nextTask: z.number(),
  port: z.number(),
  /** Times that the soak was started. */
  runs: z.number(),
});
export type Memory = z.infer<typeof memory>;

/** The directories and the environment of a soak. */
export interface Place {
  readonly dir: string;
  /** Disks of the machine and of the database; the soak's own records are on neither. */
  readonly disks: Readonly<Record<'machine' | 'database', Disk>>;
  readonly source: string;
  readonly root: string;
  /** Log that the agents wrote themselves. */
  readonly witness: string;
  /** Every task that was given, how it ended. */
  readonly ledger: string;
  /** A JSON row for each time of counting. */
  readonly rows: string;
  /** Every mishap, and how long it took until all was well again. */
  readonly mishaps: string;
  /** Sizes of everything, from time to time. */
  readonly sizes: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Opens the directory, making it at the first time. */
export function openPlace(dir: string, variables: NodeJS.ProcessEnv): Place {
  const inherited = Object.entries(variables).filter(([name]) => !NOT_INHERITED.test(name));
  const disks = { machine: new Disk(dir, 'machine'), database: new Disk(dir, 'database') };
  const machine = disks.machine.directory;
  const own = {
    HOME: join(machine, 'home'),
    XDG_RUNTIME_DIR: join(machine, 'run'),
    DROVER_DATA_DIR: join(machine, 'data'),
    GIT_CONFIG_NOSYSTEM: '1',
    NODE_NO_WARNINGS: '1',
  };
  const env = Object.fromEntries([...inherited, ...Object.entries(own)].map(([name, value]) => [name, value ?? '']));
  const place: Place = {
    dir,
    disks,
    source: join(machine, 'source'),
    root: join(machine, 'root'),
    witness: join(dir, 'witness.jsonl'),
    ledger: join(dir, 'tasks.jsonl'),
    rows: join(dir, 'rows.jsonl'),
    mishaps: join(dir, 'mishaps.jsonl'),
    sizes: join(dir, 'sizes.jsonl'),
    env,
  };
  if (!existsSync(join(dir, 'soak.json'))) make(place);
  return place;
}

function make(place: Place): void {
  const { disks, source, root, env, witness } = place;
  const { directory } = disks.machine;
  mkdirSync(join(directory, 'run'), { recursive: true, mode: 0o700 });
  for (const name of ['home', 'source']) mkdirSync(join(directory, name), { recursive: true });
  git(place, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(source, 'README.md'), '# Soak\n');
  git(place, 'add', '.');
  git(place, 'commit', '--quiet', '--message', 'first');
  execFileSync(DROVER, ['init', '--source', source, '--target', root], { cwd: directory, env, stdio: 'pipe' });
  const args = ['--log', witness, '--tick-ms', '100', '--start-swallow-ms', '0'];
  const config = [
    '[defaults]\nprofile = "sim"\nsession_width = 200',
    '[queue]\ntake = false',
    `[repo]\nsource = ${JSON.stringify(source)}\ndefault_branch = "main"`,
    `[profiles.sim]\nargs = ${JSON.stringify(args)}`,
    '',
  ];
  writeFileSync(join(root, 'drover.toml'), config.join('\n\n'));
}

/** A git command in the source. @returns what it printed. */
export function git({ source, env }: Place, ...args: readonly string[]): string {
  const person = ['-c', 'user.name=Soak', '-c', 'user.email=soak@example.org'];
  return execFileSync('git', ['-C', source, ...person, ...args], {
    env,
    encoding: 'utf8',
    stdio: 'pipe',
    maxBuffer: 1 << 28,
  });
}

/** Subjects of the commits in the default branch. @param words Only those with these words. */
export function subjectsOf(place: Place, words = ''): readonly string[] {
  const some = words === '' ? [] : ['--fixed-strings', `--grep=${words}`];
  return git(place, 'log', '--format=%s', ...some, 'main').split('\n');
}

/** Reads what an earlier run remembered; null at the first run. */
export function recall({ dir }: Place): Memory | null {
  const file = join(dir, 'soak.json');
  return existsSync(file) ? memory.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}

/** Remembers for the next run, whole or not at all: it may be killed at any moment. */
export function remember({ dir }: Place, what: Memory): void {
  const file = join(dir, 'soak.json');
  writeFileSync(`${file}.new`, `${JSON.stringify(what, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}
