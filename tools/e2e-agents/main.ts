// Runs `npm run e2e:agents`: checks that Drover believes the truth about the real programs. Installs them, tries each, prints a table.
import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import {
  AGENT_NAMES,
  cacheDirectory,
  installed,
  isolate,
  releaseNamed,
  RELEASES,
  releasesOf,
  type Isolation,
  type Tried,
} from '@drover/real-agents';
import { lendFile } from './lend-file.ts';
import type { TrialPlan } from './run.ts';
import { summary, trialSchema, withVersion, written, type Measured } from './report.ts';

const USAGE = `npm run e2e:agents -- [AGENT[@VERSION]...] [--all] [--over ssh | --reviewer AGENT | --texts N] [--only STEP,...] [--keep DIR] [--no-page]

AGENT     ${AGENT_NAMES.join(', ')}; all of them if none is named
VERSION   one of the three in packages/real-agents/src/versions.json
--all     all three versions of each
--over    ssh: the program runs on a host that only ssh reaches, an sshd on loopback; for claude, if no other is named
--reviewer  plays one run instead of the steps: AGENT builds, this one reviews
--texts   sends N texts of 64 bytes to 64 KB by the program's channel instead of the steps; a call that was ended goes on
--only    some steps, by the first word of their names
--keep    a directory for the screens and histories of steps that went wrong
--no-page does not write the result into docs/proof/agents.md and the table of versions in docs/agents.md`;

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const PAGE = path.join(REPOSITORY, 'docs/proof/agents.md');
const VERSIONS_PAGE = path.join(REPOSITORY, 'docs/agents.md');

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      all: { type: 'boolean', default: false },
      only: { type: 'string' },
      over: { type: 'string' },
      reviewer: { type: 'string' },
      texts: { type: 'string' },
      keep: { type: 'string' },
      page: { type: 'boolean', default: true },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${USAGE}\n`);
  if (values.over !== undefined && values.over !== 'ssh')
    throw new Error(`--over takes "ssh", and not "${values.over}"`);
  const isOverSsh = values.over === 'ssh';
  const reviewer = values.reviewer === undefined ? null : releaseNamed(values.reviewer);
  const all = isOverSsh ? (['claude'] as const) : AGENT_NAMES;
  const named = (positionals.length === 0 ? all : positionals).map(releaseNamed);
  const subjects = values.all
    ? named.flatMap(({ agent }) => releasesOf(agent).map((release) => ({ agent, release })))
    : named;
  const isRoot = process.getuid?.() === 0;
  const isolation = await isolate(isRoot, { logsIn: isOverSsh });
  const who = isolation.user?.name ?? os.userInfo().username;
  process.stderr.write(`Network: ${isolation.network}. User: ${who}.\n`);
  const done: Measured[] = [];
  for (const subject of subjects) {
    const measured = await tried(subject, { isolation, isRoot, isOverSsh, reviewer, choice: values });
    done.push(measured);
    if (values.page && values.texts === undefined) await writeDown(measured, values.only);
  }
  for (const measured of done) process.stdout.write(`${summary(measured)}\n`);
  if (done.some(({ results }) => results.some(({ ok }) => !ok))) process.exitCode = 1;
}

/** Puts a whole trial of the first version into docs/proof/agents.md, and every other trial into the table of versions. */
async function writeDown(measured: Measured, only: string | undefined): Promise<void> {
  const isFirst = measured.reviewer !== null || measured.release.version === RELEASES[measured.agent].version;
  if (isFirst && only !== undefined) return;
  const page = isFirst ? PAGE : VERSIONS_PAGE;
  const text = await readFile(page, 'utf8');
  await writeFile(page, isFirst ? written(text, measured) : withVersion(text, measured));
  await promisify(execFile)(path.join(REPOSITORY, 'node_modules/.bin/oxfmt'), [page]);
}

type Choice = {
  readonly only?: string | undefined;
  readonly keep?: string | undefined;
  readonly texts?: string | undefined;
};

type Circumstances = {
  readonly choice: Choice;
  readonly isolation: Isolation;
  readonly isRoot: boolean;
  readonly isOverSsh: boolean;
  readonly reviewer: Tried | null;
};

/** Tries one program after the other: two at once would measure each other. */
async function tried(
  { agent, release }: Tried,
  { isolation, isRoot, isOverSsh, reviewer, choice }: Circumstances,
): Promise<Measured> {
  process.stderr.write(`\n${release.name} ${release.version}\n`);
  const cacheDir = cacheDirectory({ xdgCacheHome: process.env['XDG_CACHE_HOME'], home: os.homedir(), isRoot });
  const named = async (one: Tried): Promise<TrialPlan['author']> => ({
    agent: one.agent,
    argv: await installed(one.release, { agent: one.agent, cacheDir }),
  });
  const { only, texts } = choice;
  const keep = choice.keep === undefined ? undefined : path.resolve(choice.keep);
  const textsFile = path.join(cacheDir, `texts-${agent}-${release.version}.jsonl`);
  if (texts !== undefined) await lendFile(textsFile, isolation.user);
  if (keep !== undefined) {
    await mkdir(keep, { recursive: true });
    await chmod(keep, 0o777);
  }
  const plan: TrialPlan = {
    author: await named({ agent, release }),
    reviewer: reviewer === null ? null : await named(reviewer),
    isOverSsh,
    texts: texts === undefined ? null : { count: Number(texts), file: textsFile },
    only: only?.split(',') ?? null,
    debug: keep ?? null,
  };
  const script = path.join(import.meta.dirname, 'run.ts');
  const output = await printed([...isolation.prefix, process.execPath, script, JSON.stringify(plan)]);
  const { results } = trialSchema.parse(JSON.parse(output));
  const tmux = (await promisify(execFile)('tmux', ['-V'])).stdout.trim();
  const circumstances = `${tmux}, ${os.cpus().length} cores, ${isOverSsh ? 'over an sshd on loopback, ' : ''}network ${isolation.network}, ${isolation.user === null ? 'the user who asked' : 'a normal user'}`;
  return { agent, isOverSsh, reviewer, release, results, day: new Date().toISOString().slice(0, 10), circumstances };
}

/** Runs a command; its progress goes to the terminal. @returns what it printed on stdout. */
async function printed([program = '', ...args]: readonly string[]): Promise<string> {
  const child = spawn(program, args, { cwd: REPOSITORY, stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = (): void => void child.kill('SIGKILL');
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, stop);
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once('close', resolve);
  const parts: string[] = [];
  for await (const part of child.stdout.setEncoding('utf8')) parts.push(String(part));
  const status = await promise;
  if (status !== 0) throw new Error(`The trial ended with status ${status ?? 'none'}: its own words stand above`);
  return parts.join('');
}

await main();
