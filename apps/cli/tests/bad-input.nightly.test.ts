/** Tests the errors of `drover` for wrong input, with a fleet that is up. Each error gives advice; nothing is lost. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { USAGE, type Case } from './support/bad-usage.ts';
import { Sandbox, type Up } from '../../../tools/fleet/sandbox.ts';

let sandbox: Sandbox;
let up: Up;
beforeAll(async () => {
  sandbox = await Sandbox.withRoot();
  up = await sandbox.up();
  await sandbox.drover(['add', 'adam', '--wait']);
});
afterAll(() => sandbox[Symbol.asyncDispose]());

const NAMES: readonly Case[] = [
  { what: 'an unknown worker', args: ['why', 'zed'], status: 4, says: /no worker "zed"; there are: adam/ },
  { what: 'an unknown worker to attach', args: ['attach', 'zed'], status: 4, says: /no worker "zed"; there are: adam/ },
  { what: 'an unknown worker to remove', args: ['nuke', 'zed'], status: 4, says: /no worker "zed"; there are: adam/ },
  {
    what: 'a task for an unknown worker',
    args: ['start', '--worker', 'zed', '--prompt', 'x'],
    status: 4,
    says: /no worker "zed"; there are: adam/,
  },
  { what: 'a duplicate name', args: ['add', 'adam'], status: 1, says: /"adam" already exists: choose another name/ },
  ...['Adam', '1st', 'a_b', '../up', 'a'.repeat(32), 'a b', ''].map((name) => ({
    what: `the name ${JSON.stringify(name)}`,
    args: ['add', '--', name],
    status: 2,
    says: /1 to 31 lower-case letters, digits and hyphens, starting with a letter, such as "adam"/,
  })),
  { what: 'an unknown profile', args: ['add', 'bea', '--profile', 'vim'], status: 2, says: /"vim".*claude.*sim/ },
  { what: 'an unknown machine', args: ['add', 'bea', '--machine', 'moon'], status: 4, says: /machine "moon"/ },
  ...['revoke', 'rotate', 'remove'].map((verb) => ({
    what: `an unknown machine to ${verb}`,
    args: ['machine', verb, 'moon', '--yes'],
    status: 4,
    says: /There is no machine "moon"; there are: \S/,
  })),
];

const PROMPTS: readonly Case[] = [
  { what: 'no prompt', args: ['start'], status: 2, says: /give it by --prompt TEXT or with --prompt-file FILE/ },
  { what: 'an empty prompt', args: ['start', '--prompt', ' \n'], status: 2, says: /prompt is empty: write what/ },
  { what: 'two prompts', args: ['start', '--prompt', 'x', '--prompt-file', 'y'], status: 2, says: /not both/ },
  {
    what: 'a prompt file that is missing',
    args: ['start', '--prompt-file', 'missing.md'],
    status: 4,
    says: /There is no file .*missing\.md/,
  },
  { what: 'a prompt file of 2 MiB', args: ['start', '--prompt-file', 'large.md'], status: 2, says: TOO_LARGE() },
  { what: 'a binary prompt file', args: ['start', '--prompt-file', 'binary'], status: 2, says: /not text in UTF-8/ },
  { what: 'a prompt file with a zero', args: ['start', '--prompt-file', 'zero'], status: 2, says: /zero byte/ },
  { what: 'a directory as prompt file', args: ['start', '--prompt-file', '.'], status: 2, says: /is not a file/ },
  { what: 'no message', args: ['message', 'adam'], status: 2, says: /message is missing/ },
];

function TOO_LARGE(): RegExp {
  return /2097152 bytes, and at most 1048576 are allowed: put the details into a file of the repository/;
}

const STATES: readonly Case[] = [
  { what: 'nothing to review', args: ['review'], status: 1, says: /[Nn]o (worker|work).*review/ },
  { what: 'nothing to accept', args: ['accept', 'adam'], status: 1, says: /adam.*idle/ },
  { what: 'nothing to reject', args: ['reject', 'adam', 'no'], status: 1, says: /adam.*idle/ },
  { what: 'a message to an idle worker', args: ['message', 'adam', 'hi'], status: 1, says: /adam.*drover start/ },
];

beforeAll(async () => {
  await writeFile(path.join(sandbox.root, 'large.md'), 'x'.repeat(2 * 1024 * 1024));
  await writeFile(path.join(sandbox.root, 'binary'), Buffer.from([0xff, 0xfe, 0x80, 0x01]));
  await writeFile(path.join(sandbox.root, 'zero'), 'a\0b');
});

test.each([...NAMES, ...PROMPTS, ...STATES, ...USAGE])(
  'given $what, when the command runs, then it says what to do, on stderr, with its exit status',
  async ({ args, status, says }) => {
    const ended = await sandbox.drover(args);

    expect(ended).toMatchObject({ status, stdout: '', stderr: expect.stringMatching(says) });
  },
);

test.each([...NAMES.slice(0, 1), ...PROMPTS.slice(0, 1), ...STATES.slice(0, 1), ...USAGE.slice(0, 2)])(
  'given $what, when the command runs with --json, then the error is one JSON object',
  async ({ args, status }) => {
    const ended = await sandbox.drover([...args, '--json']);

    expect(ended).toMatchObject({ status, stdout: '' });
    expect(JSON.parse(ended.stderr)).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
  },
);

test('given a prompt of 2 MiB on stdin, when a task is started, then it is refused', async () => {
  const ended = await sandbox.drover(['start', '--prompt-file', '-'], { input: 'x'.repeat(2 * 1024 * 1024) });

  expect(ended).toMatchObject({ status: 2, stderr: expect.stringMatching(TOO_LARGE()) });
});

test('given a busy worker, when another task is started, then it is refused and the first goes on', async () => {
  const wait = path.join(sandbox.directory, 'go');
  await sandbox.drover(['add', 'bea', '--wait']);
  await sandbox.drover(['start', '--worker', 'bea', '--prompt', `WAITFILE ${wait}\nWRITE b.txt one\nCOMMIT Add b`]);

  const second = await sandbox.drover(['start', '--worker', 'bea', '--prompt', 'SAY second']);

  expect(second).toMatchObject({ status: 1, stderr: expect.stringMatching(/bea.*working.*drover message/s) });
  await writeFile(wait, '');
  await sandbox.until('bea', 'needs_review');
});

test('given a file of a person where the work has one, when it is accepted, then it waits, and is merged once the file is gone', async () => {
  await sandbox.until('bea', 'needs_review');
  await writeFile(path.join(sandbox.source, 'b.txt'), 'of a person\n');
  const unseen = await sandbox.drover(['accept', 'bea']);
  await sandbox.drover(['review', 'bea']);

  const refused = await sandbox.drover(['accept', 'bea']);

  expect(unseen).toMatchObject({ status: 1, stderr: expect.stringContaining('drover review bea') });
  expect(refused).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /not merged.*would be overwritten \(b\.txt\): commit or stash them.*"drover accept bea" again/,
    ),
  });
  expect(await sandbox.git('log', '--format=%s')).toBe('first');
  expect(await readFile(path.join(sandbox.source, 'b.txt'), 'utf8')).toBe('of a person\n');
  await rm(path.join(sandbox.source, 'b.txt'));
  const accepted = await sandbox.drover(['accept', 'bea']);
  expect(accepted).toMatchObject({ status: 0 });
  expect(await sandbox.git('log', '--format=%s', '-1')).not.toBe('first');
});

test('given a running up, when a second one starts on the same data directory, then it is refused and the first serves on', async () => {
  const second = await sandbox.drover(['up']);

  expect(second).toMatchObject({ status: 1, stderr: expect.stringContaining('drover down') });
  expect(second.stderr).toContain(String(up.pid));
  expect(await sandbox.drover(['status'])).toMatchObject({ status: 0 });
});

test.each([
  ['wrong', 'not-the-token-of-this-fleet-at-all'],
  ['that no header can carry', 'line\nbreak'],
])('given a token %s, when a command asks, then it says where a right one is found', async (_, token) => {
  const ended = await sandbox.drover(['status'], { env: { DROVER_TOKEN: token } });

  expect(ended).toMatchObject({ status: 5, stderr: expect.stringMatching(/token.*DROVER_TOKEN/) });
});

test.each([
  ['as an argument', (_file: string, token: string) => ['--join', token]],
  ['by standard input', () => ['--join', '-']],
  ['in a file', (file: string) => ['--join-file', file]],
])('given a join token %s that is wrong, when an agent joins, then it says how to get another', async (way, of) => {
  const other = { DROVER_DATA_DIR: path.join(sandbox.directory, `other ${way}`) };
  const file = path.join(sandbox.directory, 'join-token');
  const invited = JSON.parse((await sandbox.drover(['machine', 'invite', '--json'])).stdout) as { token: string };
  const wrong = invited.token.replace(/\.[^.]+\./, '.wrong.');
  const input = `${wrong}\n`;
  await writeFile(file, input);

  const said = await sandbox.saysBeforeItIsStopped(
    ['server', 'agent', '--url', up.url, ...of(file, wrong), '--name', 'other'],
    /refused.*join token.*drover machine invite/is,
    { env: other, input },
  );

  expect(said).toMatch(/wrong|expired|used/i);
  expect(said.includes('--join-file FILE')).toBe(way === 'as an argument');
});

test.each([
  ['a file that is not there', ['--join-file', 'nowhere'], '', 4, /nowhere/],
  ['nothing on standard input', ['--join', '-'], '\n', 2, /standard input.*empty/],
  ['two words', ['--join', '-'], 'the token', 2, /more than one word/],
  ['a part of a token', ['--join', '-'], 'drover-join.wrong', 2, /incomplete.*drover machine invite/],
  ['two sources', ['--join', 'a', '--join-file', 'b'], '', 2, /one of them/],
])('given %s, when an agent is to join, then it says what is wrong', async (_, words, input, status, expected) => {
  const ended = await sandbox.drover(['server', 'agent', '--url', up.url, ...words], { input });

  expect(ended).toMatchObject({ status, stderr: expect.stringMatching(expected) });
});

test.each([
  [
    'a command',
    ['status'],
    { DROVER_URL: 'http://192.0.2.1:4680', DROVER_TOKEN: 'x' },
    /clear text.*DROVER_INSECURE=1/,
  ],
  ['an agent', ['server', 'agent', '--url', 'http://192.0.2.1:4680'], {}, /clear text.*--insecure/],
  [
    'a coordinator with a short token',
    ['server', 'coordinator'],
    { DROVER_TOKEN: 'short' },
    /5 characters.*openssl rand -hex 32/,
  ],
  [
    'a coordinator with an odd token',
    ['server', 'coordinator'],
    { DROVER_TOKEN: `${'a'.repeat(40)}!` },
    /other characters.*openssl/,
  ],
])(
  'given %s that would give a token away or never take it, when it starts, then it is refused with what to do',
  async (_, words, env, expected) => {
    const ended = await sandbox.drover(words, { env });

    expect(ended).toMatchObject({ status: 2, stderr: expect.stringMatching(expected) });
    expect(ended.stderr).not.toContain('!:');
  },
);

test('given no coordinator, when a command asks, then it says how to start or name one', async () => {
  const url = 'http://127.0.0.1:1';
  const named = await sandbox.drover(['status'], { env: { DROVER_URL: url, DROVER_TOKEN: 'x' } });
  const outside = await sandbox.drover(['status'], { cwd: sandbox.directory, env: { DROVER_DATA_DIR: undefined } });

  expect(named).toMatchObject({
    status: 3,
    stderr: expect.stringMatching(/127\.0\.0\.1:1 does not answer.*drover up/),
  });
  expect(outside).toMatchObject({ status: 3, stderr: expect.stringMatching(/drover init|drover up/) });
});

test('given an unknown key in drover.toml, when it is checked, then the line and the nearest key are named', async () => {
  await using other = await Sandbox.withRoot();
  await other.configure('[defaults]\nmodle = "opus"\n');

  const check = await other.drover(['project', 'check']);
  const json = await other.drover(['project', 'check', '--json']);
  const start = await other.drover(['up']);

  const says = expect.stringMatching(/drover\.toml:2: defaults\.modle is not an option.*"(defaults\.)?model"/);
  expect(check).toMatchObject({ status: 6, stderr: says });
  expect(json.status).toBe(6);
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false });
  expect(start).toMatchObject({ status: 2, stderr: says });
});

test('given a broken endpoint file, when a command asks, then it is as if nothing was up', async () => {
  const dataDir = path.join(sandbox.directory, 'broken');
  await mkdir(dataDir, { mode: 0o700 });
  await writeFile(path.join(dataDir, 'endpoint.json'), '{"url": "htt');

  const ended = await sandbox.drover(['status'], { env: { DROVER_DATA_DIR: dataDir } });

  expect(ended).toMatchObject({ status: 3, stderr: expect.stringContaining('drover up') });
  await rm(dataDir, { recursive: true });
});

test('given all that bad input, when the fleet is listed, then it is as it was', async () => {
  const { stdout } = await sandbox.drover(['status', '--json']);

  const workers: readonly { name: string; status: string }[] = JSON.parse(stdout);
  expect(workers.map(({ name, status }) => `${name} ${status}`)).toEqual(['adam idle', 'bea idle']);
});
