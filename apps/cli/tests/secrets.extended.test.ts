/**
 * Tests that a secret that is planted everywhere reaches no channel that leaves a machine or the coordinator's hands.
 * Everything real, one `drover up`. The test reads the stored data in a file of `drover server export`: it holds all reports
 * of machines.
 */
import { lstat, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sandbox, type Up } from '../../../tools/fleet/sandbox.ts';
import { until } from '../../../tools/fleet/wait.ts';

/** Secrets in the environment, in a file, in names, and in a prompt. No secret among them has a known form. */
const PLANTED = {
  environment: 'env-c4n4ry/+Zq81"x',
  file: 'file c4n4ry Zq82 words',
  name: 'name-c4n4ry-Zq83',
  prompt: 'prompt-c4n4ry-Zq84',
};

/** Tables with unchanged prompts and texts that follow from them: the agent must get these unchanged. */
const TABLES_OF_PROMPTS: ReadonlySet<string> = new Set([
  'tasks',
  'checkpoints',
  'commands',
  'events',
  'workers',
  'queue_items',
  'due_work',
  'runs',
  'run_events',
  'run_messages',
]);

let sandbox: Sandbox;
let up: Up;
let control: string;
let heard = '';

beforeAll(async () => {
  sandbox = await Sandbox.withRoot();
  control = path.join(sandbox.directory, 'control');
  await writeFile(
    path.join(sandbox.root, '.env'),
    `FILE_SECRET="${PLANTED.file}"\nNAME_SECRET=${PLANTED.name}\nPROMPT_SECRET=${PLANTED.prompt}\nPORT=3000\n`,
  );
  const check = `printf '%s\\n' "$CANARY_ENV"; printf '%s' "$CANARY_ENV" | base64; cat ${sandbox.root}/.env; test ! -e newer.txt || ! ls *.md`;
  await sandbox.configure(
    [
      '[defaults]\nprofile = "sim"\nsession_width = 80',
      '[coordinator]\nport = 0\nlog_level = "debug"',
      '[redact]\nnames = ["CANARY_*"]\nfiles = [".env"]',
      `[profiles.sim.env]\nSIM_AGENT_CONTROL = ${JSON.stringify(control)}\n`,
    ].join('\n'),
  );
  const toml = path.join(sandbox.root, 'drover.toml');
  await writeFile(toml, `${await readFile(toml, 'utf8')}validate = [["sh", "-c", ${JSON.stringify(check)}]]\n`);
  // The login shell gives it to agents and checks, and to nobody else.
  await writeFile(path.join(sandbox.directory, 'home/.profile'), `export CANARY_ENV='${PLANTED.environment}'\n`);
  up = await sandbox.up();
  heard += (await sandbox.drover(['add', 'adam', '--wait'])).stdout;
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** Runs commands and collects their answers. */
async function hear(...commands: readonly (readonly string[])[]): Promise<void> {
  for (const command of commands) {
    const { stdout, stderr } = await sandbox.drover(command);
    heard += `\n$ drover ${command[0] ?? ''}\n${stdout}${stderr}`;
  }
}

const EVERYTHING = [
  ['status', '--json'],
  ['why', 'adam', '--all'],
  ['logs', 'adam', '--json'],
  ['logs', 'adam', '--pane'],
  ['debug', 'screen', 'explain', 'adam', '--json'],
  ['review', 'adam'],
  ['report', 'errors', '--all', '--json'],
  ['escalation', '--all', '--json'],
  ['worker', 'checkpoint', 'adam', '--json'],
  ['queue', '--all', '--json'],
  ['report', '--json'],
  ['machine', '--json'],
];

test('given a secret in the environment, files, panes, prompts, names, errors and checks, when all of it was told, then no channel holds it', async () => {
  const { environment, file, name, prompt } = PLANTED;
  const rows = [20, 47, 55, 60, 62, 66, 70, 74].map((indent) => `SAY ${'w'.repeat(indent)} ${environment} ${file} end`);
  const coloured = `${environment.slice(0, 6)}\\033[32m${environment.slice(6)}`;
  await writeFile(
    control,
    [
      ...rows,
      `RUN printf '\\033[31m${coloured}\\033[0m\\n'`,
      `TITLE ${environment}`,
      `RUN git config user.name ${name}`,
      `FAILTOOL Error: ${file}`,
      `WRITE ${name}.md ${environment} ${Buffer.from(file).toString('base64')} ${encodeURIComponent(environment)}`,
      `COMMIT Add ${name} with ${file}`,
    ].join('\n'),
  );
  await hear(['start', '--worker', 'adam', '--prompt', `Take ${prompt} and go on`]);
  await sandbox.until('adam', 'needs_review');
  await hear(...EVERYTHING);
  // With this on the default branch the check fails, but only together with the work.
  await writeFile(path.join(sandbox.source, 'newer.txt'), '');
  await sandbox.git('add', '--all');
  await sandbox.git('commit', '--quiet', '--message', 'newer');
  await hear(['accept', 'adam']);
  await until('the failed check', async () => {
    const { stdout } = await sandbox.drover(['report', 'errors', '--all', '--json']);
    return JSON.parse(stdout).length > 0 ? true : undefined;
  });
  await hear(...EVERYTHING);
  await writeFile(control, `SAY ${file}\nPANIC fatal: ${environment}`);
  await hear(['message', 'adam', `now ${prompt}`], ['reject', 'adam', `again ${prompt}`]);
  await until('the escalation of the crash', async () => {
    const { stdout } = await sandbox.drover(['report', 'errors', '--all', '--json']);
    return stdout.includes('CRASH') ? true : undefined;
  });
  await hear(...EVERYTHING, ['worker', 'checkpoint', 'create', 'adam']);
  const escalations: readonly { id: string }[] = JSON.parse(
    (await sandbox.drover(['escalation', '--all', '--json'])).stdout,
  );
  await hear(...escalations.map(({ id }) => ['escalation', 'show', id, '--json']));
  const open = await openToOthers(sandbox.dataDir);
  const metrics = await (await fetch(`${up.url}/metrics`)).text();
  await up.stop();
  const dump = path.join(sandbox.directory, 'dump.jsonl');
  const exported = await sandbox.drover(['server', 'export', dump], { env: { DATABASE_URL: up.databaseUrl } });
  const stored = tablesOf(await readFile(dump, 'utf8'));
  const shared = path.join(sandbox.directory, 'shared.jsonl');
  const env = { DATABASE_URL: up.databaseUrl, CANARY_ENV: environment };
  const redacted = await sandbox.drover(['server', 'export', shared, '--redacted'], { env });
  const taken = await sandbox.drover(['server', 'import', shared, '--replace', '--yes'], { env });

  expect((await lstat(path.join(sandbox.dataDir, 'agent', 'agent.db'))).mode & 0o777).toBe(0o600);
  expect(open).toEqual([]);
  expect(exported).toMatchObject({ status: 0 });
  expect(redacted).toMatchObject({ status: 0 });
  expect(taken).toMatchObject({ status: expect.any(Number), stderr: expect.stringContaining('--redacted') });
  const readable = tablesOf(await readFile(shared, 'utf8'));
  const ofOthers = Object.fromEntries(Object.entries(readable).map(([table, rows]) => [`shared ${table}`, rows]));
  const channels = { heard, log: up.said(), metrics, ...stored, ...ofOthers };
  expect(leaksIn(channels)).toEqual([]);
  expect(readable['tasks']).toContain('[redacted]');
  expect(Object.keys(readable)).not.toEqual(expect.arrayContaining(['api_tokens']));
  expect(stored['tasks']).toContain(prompt); // the agent got it unchanged
  expect(heard).toContain('[redacted]');
  expect(up.said()).not.toContain(new URL(up.databaseUrl).password);
  expect(Object.keys(stored)).toEqual(expect.arrayContaining(['events', 'observations', 'errors', 'escalations']));
});

/** Lists files and directories that another user could read, write or enter. Nobody else enters git's working place. */
async function openToOthers(directory: string): Promise<readonly string[]> {
  const everything = await readdir(directory, { recursive: true });
  const names = everything.filter((name) => !name.includes('/depots/'));
  const paths = [directory, ...names.map((name) => path.join(directory, name))];
  const modes = await Promise.all(
    paths.map(async (one) => ({ one, mode: (await lstat(one).catch(() => null))?.mode ?? 0 })),
  );
  return modes.filter(({ mode }) => (mode & 0o077) !== 0).map(({ one, mode }) => `${one} ${mode.toString(8)}`);
}

/** Returns the rows of each table as one text. */
function tablesOf(dump: string): Record<string, string> {
  const tables: Record<string, string> = {};
  let table = '';
  for (const line of dump.split('\n')) {
    if (line.startsWith('{"table"')) table = JSON.parse(line).table;
    else if (line.startsWith('[')) tables[table] = `${tables[table] ?? ''}${JSON.parse(line).join('\n')}\n`;
  }
  return tables;
}

/** Finds planted secrets, with their form and their context. */
function leaksIn(channels: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(channels).flatMap(([channel, content]) => {
    // oxlint-disable-next-line no-control-regex
    const texts = [content, content.replaceAll(/\u001b\[[0-9;]*m|\\u001b\[[0-9;]*m|\n|\\n/g, '')];
    return Object.entries(PLANTED).flatMap(([what, secret]) => {
      if (what === 'prompt' && TABLES_OF_PROMPTS.has(channel)) return [];
      return formsOf(secret).flatMap((form) => {
        const found = texts.find((text) => text.includes(form));
        const at = found?.indexOf(form) ?? 0;
        return found === undefined ? [] : [`${channel}: ${what} in …${found.slice(Math.max(0, at - 100), at + 100)}…`];
      });
    });
  });
}

function formsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const bytes = Buffer.from(secret);
  const halves = [secret.slice(0, 10), secret.slice(-10)];
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('base64').slice(0, -4),
    bytes.toString('hex'),
    ...halves,
  ];
}
