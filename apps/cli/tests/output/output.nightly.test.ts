/** Tests that commands keep the promises of the help: JSON if asked, documented exit statuses, colours on a terminal only. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXIT_CODES } from '../../src/exit-codes.ts';
import { finished } from '../../../../tools/fleet/processes.ts';
import { DROVER } from '../../../../tools/fleet/program.ts';
import { Sandbox, type Up } from '../../../../tools/fleet/sandbox.ts';
import { until } from '../../../../tools/fleet/wait.ts';

let sandbox: Sandbox;
let up: Up;
beforeAll(async () => {
  sandbox = await Sandbox.withRoot();
  up = await sandbox.up();
  await sandbox.drover(['add', 'adam', '--wait']);
});
afterAll(() => sandbox[Symbol.asyncDispose]());

const worker = expect.objectContaining({ name: 'adam', status: expect.any(String), branch: 'drover/adam' });

/** Repairs of the machine alone: the fleet needs none; the machine may have databases of other roots, which are gone. */
const OF_MACHINE = expect.toSatisfy((repairs: readonly { key: string }[]) =>
  repairs.every(({ key }) => key.startsWith('database:')),
);

test.each([
  [['status'], [worker]],
  [['worker'], [worker]],
  [['machine'], [expect.objectContaining({ state: 'connected', workers: 1 })]],
  [['why', 'adam'], expect.objectContaining({ worker, next: expect.any(Array), history: expect.any(Array) })],
  [['attach', 'adam'], { machine: expect.any(String), argv: expect.arrayContaining(['tmux', '=drover-adam']) }],
  [['logs', 'adam', '--pane'], { text: expect.any(String) }],
  [['logs', 'adam', '-n', '1'], expect.objectContaining({ worker: 'adam', said: expect.any(Array) })],
  [['project', 'check'], expect.objectContaining({ ok: true, config: expect.any(Object) })],
  [
    ['machine', 'invite'],
    {
      token: expect.stringMatching(/^drover-join\.[\w-]{43}\.[\w-]{43}$/),
      url: null,
      coordinator: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: expect.any(Number),
    },
  ],
  [['machine', 'list'], [expect.objectContaining({ state: 'connected', revokedAt: null, rotateSince: null })]],
  [['help', 'exit-codes'], JSON.parse(JSON.stringify(EXIT_CODES))],
  [['doctor'], { ok: true, findings: expect.any(Array), repairs: OF_MACHINE, rebuilds: [], done: [] }],
])('given a fleet, when drover %j is asked for JSON, then stdout is one document of its shape', async (args, shape) => {
  const ended = await sandbox.drover([...args, '--json']);

  expect(ended.status).toBe(0);
  expect(JSON.parse(ended.stdout)).toEqual(shape);
});

test('given a new root, when drover up says that it is up, then its machine is connected already', () => {
  const [before] = up.said().split('Drover is up');

  expect(before).toContain(`Connected to ${up.url}`);
});

test('given work, when it is reviewed, rejected with one text, and accepted, then each answers in JSON', async () => {
  await sandbox.drover(['start', '--prompt', 'WRITE a.md one\nCOMMIT Add a']);
  await sandbox.until('adam', 'needs_review');

  const review = JSON.parse((await sandbox.drover(['review', '--json'])).stdout);
  const rejected = JSON.parse((await sandbox.drover(['reject', 'WRITE a.md two\nCOMMIT Better', '--json'])).stdout);
  await sandbox.until('adam', 'needs_review');
  await sandbox.drover(['review', 'adam']);
  const accepted = JSON.parse((await sandbox.drover(['accept', 'adam', '--json'])).stdout);

  expect(review).toMatchObject({ worker: { name: 'adam' }, diff: expect.stringContaining('+one') });
  expect(rejected).toMatchObject({ name: 'adam' });
  expect(accepted).toMatchObject({ name: 'adam', status: 'idle' });
});

test('given a worker that is no name, when work is rejected with a worker and a text, then it is not taken for feedback', async () => {
  const ended = await sandbox.drover(['reject', 'adma', 'The test is missing']);

  expect(ended).toMatchObject({ status: 4, stderr: expect.stringContaining('There is no worker "adma"') });
});

test('given a pipe, when data is printed, then without colours, unless they are forced; NO_COLOR wins', async () => {
  const plain = await sandbox.drover(['status']);
  const forced = await sandbox.drover(['status'], { env: { FORCE_COLOR: '1' } });
  const none = await sandbox.drover(['status'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });

  expect(plain.stdout).not.toContain('\u001b');
  expect(forced.stdout).toContain('\u001b[');
  expect(none.stdout).not.toContain('\u001b');
});

test('given a reader that has read enough, when a command goes on printing, then it ends quietly', async () => {
  const child = spawn(DROVER, ['logs', 'adam', '--follow'], { cwd: sandbox.root, env: { ...sandbox.env } });
  child.stdout.once('data', () => child.stdout.destroy());
  const ending = finished(child);
  await until('news that cannot be printed', async () => {
    if (child.exitCode !== null) return true;
    await sandbox.drover(['start', '--worker', 'adam', '--prompt', 'SAY hello']);
    await sandbox.drover(['message', 'adam', 'SAY more']);
    return undefined;
  });

  expect(await ending).toMatchObject({ status: 0, stderr: '' });
});

test('given a terminal, when status is watched, then the page is kept on a screen of its own until Ctrl-C', async () => {
  const socket = path.join(sandbox.directory, 'run', 'watch.sock');
  const tmux = async (...args: readonly string[]): Promise<string> => {
    const { HOME, PATH } = sandbox.env;
    const child = spawn('tmux', ['-f', '/dev/null', '-S', socket, ...args], { env: { HOME, PATH, LANG: 'C.UTF-8' } });
    return (await finished(child)).stdout;
  };
  const drover = `env DROVER_DATA_DIR=${sandbox.dataDir} XDG_RUNTIME_DIR=${sandbox.env['XDG_RUNTIME_DIR']} ${DROVER}`;
  await tmux('new-session', '-d', '-x', '80', '-y', '12', '-c', sandbox.root, 'sh');
  await tmux('send-keys', '-l', `${drover} status --watch; echo ended with $?`);
  await tmux('send-keys', 'Enter');
  const screen = (): Promise<string> => tmux('capture-pane', '-p');
  try {
    const watched = await until('the page', async () => {
      const text = await screen();
      return /^adam /mu.test(text) && text.includes('Ctrl-C ends.') ? text : undefined;
    });
    await tmux('send-keys', 'C-c');
    const after = await until('the shell', async () => {
      const text = await screen();
      return text.includes('ended with 0') ? text : undefined;
    });

    expect(watched).not.toContain('status --watch');
    // The command's line may wrap anywhere.
    expect(after.replaceAll('\n', '')).toContain('status --watch');
  } finally {
    await tmux('kill-server');
  }
});

test('given a machine that says how it is, when it is shown, then its programs are, and that of the worker is there', async () => {
  const [machine] = JSON.parse((await sandbox.drover(['machine', '--json'])).stdout) as { name: string }[];
  const name = machine?.name ?? '';
  await until('a reading of the machine', async () => {
    const [now] = JSON.parse((await sandbox.drover(['machine', '--json'])).stdout) as { condition: unknown }[];
    return now?.condition != null;
  });

  const shown = await sandbox.drover(['machine', 'show', name]);
  const asked = JSON.parse((await sandbox.drover(['machine', 'show', name, '--json'])).stdout);

  expect(shown.stdout).toMatch(/load: .* processor\(s\)\nmemory: .* GiB are free\ndisk: .*\nclock: /);
  expect(asked.condition.programs).toContainEqual(
    expect.objectContaining({ of: 'profile', name: 'sim', state: 'present' }),
  );
});

test('given the gateway of a fleet, when it is to be taken out, then the commands of a gateway do it, and those of a machine name them', async () => {
  const [gateway] = JSON.parse((await sandbox.drover(['gateway', '--json'])).stdout) as { name: string }[];
  const name = gateway?.name ?? '';

  const asMachine = await sandbox.drover(['machine', 'revoke', name, '--yes']);
  const unknown = await sandbox.drover(['gateway', 'revoke', 'nobody', '--yes']);
  const unasked = await sandbox.drover(['gateway', 'revoke', name]);
  const rotated = await sandbox.drover(['gateway', 'rotate', name, '--yes']);
  const revoked = await sandbox.drover(['gateway', 'revoke', name, '--yes']);
  const removed = await sandbox.drover(['gateway', 'remove', name, '--yes', '--json']);

  expect(asMachine).toMatchObject({ status: 1, stderr: expect.stringContaining('drover gateway --help') });
  expect(unknown).toMatchObject({ status: 4, stderr: expect.stringContaining(`there are: ${name}`) });
  expect(unasked).toMatchObject({ status: 1, stderr: expect.stringMatching(/the gateway .* repeat with --yes/) });
  expect(rotated).toMatchObject({ status: 0, stdout: expect.stringContaining('makes a new key') });
  expect(revoked).toMatchObject({ status: 0, stdout: expect.stringContaining('is revoked') });
  expect(revoked.stderr).toContain(`drover gateway remove ${name}`);
  expect(JSON.parse(removed.stdout)).toMatchObject({ workers: [] });
});

test('given the machine of a worker, when it is to be taken out, then each command asks first, and says what follows', async () => {
  const [machine] = JSON.parse((await sandbox.drover(['machine', '--json'])).stdout) as { name: string }[];
  const name = machine?.name ?? '';

  const unasked = await sandbox.drover(['machine', 'revoke', name]);
  const occupied = await sandbox.drover(['machine', 'remove', name, '--yes']);
  const rotated = await sandbox.drover(['machine', 'rotate', name, '--yes']);
  await until('the new key', async () => {
    const [now] = JSON.parse((await sandbox.drover(['machine', '--json'])).stdout) as { rotateSince: number | null }[];
    return now?.rotateSince === null;
  });
  const revoked = await sandbox.drover(['machine', 'revoke', name, '--yes']);
  const status = await sandbox.drover(['status']);
  const removed = await sandbox.drover(['machine', 'remove', name, '--force', '--yes', '--json']);

  expect(unasked).toMatchObject({ status: 1, stderr: expect.stringMatching(/Nothing was done: repeat with --yes/) });
  expect(occupied).toMatchObject({ status: 1, stderr: expect.stringMatching(/adam.*--force/) });
  expect(rotated).toMatchObject({ status: 0, stdout: expect.stringContaining('makes a new key') });
  expect(revoked).toMatchObject({ status: 0, stdout: expect.stringContaining('is revoked') });
  expect(revoked.stderr).toContain('drover machine invite');
  expect(status.stdout).toContain('machine revoked');
  expect(JSON.parse(removed.stdout)).toMatchObject({ workers: ['adam'] });
});
