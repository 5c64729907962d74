/** Tests the limits of a worker's access to the fleet from its own pane. Real processes; the worker has a session. */
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GatewayProcess } from '../support/gateway-process.ts';
import { paneOf, type Pane } from '../support/pane.ts';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { until } from '../../../../tools/fleet/wait.ts';

describe.skipIf(process.platform !== 'linux')('given a worker with a session, when its pane calls drover', () => {
  let sandbox: Sandbox;
  let pane: Pane;
  let up: Awaited<ReturnType<Sandbox['up']>>;

  beforeAll(async () => {
    sandbox = await Sandbox.withRoot();
    await writeFile(path.join(sandbox.directory, 'home/.profile'), 'export OF_LOGIN=kept\n');
    const ofAnotherTool = { CLAUDECODE: '1', GIT_AUTHOR_NAME: 'canary-author', GIT_INDEX_FILE: '/canary-index' };
    up = await sandbox.up([], {
      env: {
        PGPASSWORD: 'canary-pg',
        DROVER_TOKEN_FILE: 'canary-drover',
        HARMLESS: 'canary-starter',
        TZ: 'UTC',
        ...ofAnotherTool,
      },
    });
    for (const name of ['adam', 'bea']) await sandbox.drover(['add', name]);
    for (const name of ['adam', 'bea']) await sandbox.until(name, 'idle');
    pane = await paneOf(sandbox, 'adam');
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test.each([
    ['accept', 'adam'],
    ['review', 'adam'],
    ['machine', 'invite'],
    ['start', '--worker', 'adam', '--prompt', 'x'],
    ['message', 'bea', 'x'],
    ['nuke', 'bea', '--force'],
    ['server', 'export', '/tmp/x'],
    ['server', 'import', '/tmp/x'],
    ['doctor'],
    ['doctor', '--repair', '--yes'],
    ['down'],
    ['down', '--force'],
    ['remove-root', '--yes'],
    ['up'],
    ['server', 'coordinator'],
    ['server', 'agent'],
    ['init'],
    ['attach', 'bea'],
  ])('%s %s … is refused with the reason and who can do it', async (...args) => {
    const { status, stderr } = await pane.drover(args);

    expect(stderr).toMatch(/refused in the pane of the worker "adam".*a terminal of your own/);
    expect(status).toBe(5);
  });

  test.each([
    ['without the variable', 'env -u DROVER_WORKER "$DROVER" accept adam; echo "status $?"'],
    [
      'without any variable',
      'env -i PATH="$PATH" HOME="$HOME" DROVER_DATA_DIR=DATA "$DROVER" accept adam; echo "status $?"',
    ],
    [
      'in another directory',
      'cd ../.. && env -i PATH="$PATH" DROVER_DATA_DIR=DATA "$DROVER" accept adam; echo "status $?"',
    ],
    ['with a token', 'env -u DROVER_WORKER DROVER_URL=U DROVER_TOKEN=T "$DROVER" accept adam; echo "status $?"'],
  ])('%s it is refused all the same', async (_, script) => {
    const { token, url } = await sandbox.endpoint();

    const { stdout, stderr } = await pane.sh(
      script.replace('DATA', sandbox.dataDir).replace('=U', `=${url}`).replace('=T', `=${token}`),
    );

    expect(stderr).toContain('refused in the pane of the worker "adam"');
    expect(stdout).toContain('status 5');
  });

  test('its environment holds the worker, the address of the coordinator, what the login shell sets, no secret of Drover or its database, and nothing of the place where Drover was started', () => {
    const names = Object.keys(pane.env);
    const secrets = ['DATABASE_URL', 'PGPASSWORD', 'DROVER_TOKEN', 'DROVER_TOKEN_FILE', 'DROVER_DATA_DIR'];

    expect(names.filter((name) => secrets.includes(name))).toEqual([]);
    expect(Object.values(pane.env).join('\n')).not.toMatch(/canary-/);
    expect(names).not.toContain('CLAUDECODE');
    expect(up.said()).toContain('Agents do not get CLAUDECODE, GIT_AUTHOR_NAME, GIT_INDEX_FILE: ');
    expect(pane.env).toMatchObject({ DROVER_WORKER: 'adam', OF_LOGIN: 'kept', TZ: 'UTC' });
  });

  test('no process of Drover itself has a command line by which the pane ends it: pkill -f drover, pkill -f node, killall node', () => {
    const own = processesOf(path.join(sandbox.directory, 'home')).filter(({ env }) => !env.includes('DROVER_WORKER='));

    expect(own.map(({ words }) => words)).toContainEqual(expect.stringContaining('fleet-server up'));
    expect(own.map(({ words }) => words)).toContainEqual(expect.stringContaining('tmux -u -S'));
    expect(own.filter(({ words }) => /drover|node/u.test(words)).map(({ words }) => words)).toEqual([]);
  });

  test('a part that runs by itself has no such command line either', async () => {
    await using _ = await GatewayProcess.start(sandbox, up, 'alone');

    const own = processesOf(path.join(sandbox.directory, 'gateways/alone')).map(({ words }) => words);

    expect(own).toContainEqual(expect.stringContaining('fleet-server gateway'));
    expect(own.filter((words) => /drover|node/u.test(words))).toEqual([]);
  });

  test('status and why tell of the worker itself, and nothing of another', async () => {
    const status = await until('its token', async () => {
      const asked = await pane.drover(['status', '--json']);
      return asked.status === 0 ? asked : undefined;
    });
    const own = await pane.drover(['why', 'adam', '--all']);
    const other = await pane.drover(['why', 'bea', '--all']);

    expect(JSON.parse(status.stdout)).toMatchObject([{ name: 'adam' }]);
    expect(own).toMatchObject({ status: 0, stdout: expect.stringContaining('adam') });
    expect(other.status).not.toBe(0);
  });
});

/** Lists the processes of a user's home: their short names with their command lines, and their variables. */
function processesOf(home: string): readonly { readonly words: string; readonly env: string }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
  return pids
    .map((pid) => ({ words: `${read(pid, 'comm')} ${read(pid, 'cmdline')}`, env: read(pid, 'environ') }))
    .filter(({ env }) => env.includes(`HOME=${home} `));
}

/** Reads a file; empty if the process has ended meanwhile. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
