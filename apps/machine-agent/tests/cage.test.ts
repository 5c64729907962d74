/** Checks that a cage holds a hostile program, and shows nothing of the source. Real bubblewrap; `cage.extended.test.ts` has what else a worker does in one. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { caged, notRun, openInCage } from './support/caged.ts';
import { expectKind, TestMachine } from './support/machine.ts';
import { until } from './support/until.ts';

const ATTACK = readFileSync(fileURLToPath(new URL('support/cage-attack.sh', import.meta.url)), 'utf8');

describe.skipIf(notRun !== '')(`given a worker in a cage${notRun}`, () => {
  test('when its program attacks everything around it, then nothing of that succeeds and its own work does', async () => {
    await using machine = await TestMachine.start({ caged: true });
    const { coordinator, dir } = machine;
    machine.commit(machine.source, { 'attack.sh': ATTACK }, 'attack');
    for (const [path, text] of Object.entries({
      'data/endpoint.json': '{"token":"CANARY"}',
      'home/.config/drover/logins.json': 'CANARY',
      'home/.ssh/id': 'CANARY',
      'home/.bashrc': 'mine\n',
      'source/.env': 'CANARY',
    })) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    const model = createServer((_, answer) => answer.end('ok')).listen(0, '127.0.0.1');
    await once(model, 'listening');
    const outside = spawn('sleep', ['1000'], { env: { CANARY: '1' } });
    const place = await openInCage(machine);
    await expectKind(
      coordinator.carriedOut(machine.worker('bert'), { kind: 'prepare', reset: true, saveAs: randomUUID() }),
      'prepared',
    );
    const head = machine.git(machine.source, 'rev-parse', 'HEAD');
    const object = join('objects', head.slice(0, 2), head.slice(2));
    const links = statSync(join(machine.depot, object)).nlink;

    const { port } = model.address() as AddressInfo;
    await machine.turn(place, `RUN sh attack.sh ${dir} ${outside.pid} ${port} > out.txt 2>&1`);
    const worktree = join(machine.root, '.worktrees', 'alba');
    const out = await until('its report', () => {
      const text = readFileSync(join(worktree, 'out.txt'), 'utf8');
      return text.includes('model ') ? text : undefined;
    });
    const did = out.split('\n').flatMap((line) => (line.endsWith(' done') ? [line.slice(0, -5)] : []));
    const isAlive = outside.exitCode === null && outside.signalCode === null;
    outside.kill('SIGKILL');
    model.close();
    // Drover's git meets files of the program: its links must lead nowhere.
    execFileSync('rm', ['-f', join(worktree, 'out.txt')]);
    await coordinator.carriedOut(place.settings, { kind: 'observe', base: head, delivery: null });
    writeFileSync(join(worktree, 'sub', 'f'), 'changed again\n');
    await coordinator.carriedOut(place.settings, { kind: 'checkpoint', id: randomUUID(), type: 'manual', why: '' });
    await coordinator.carriedOut(place.settings, { kind: 'rebase', at: null, began: null });
    await coordinator.carriedOut(place.settings, { kind: 'candidate', at: null, began: head });
    await expectKind(coordinator.carriedOut(place.settings, { kind: 'close' }), 'closed');
    const theft = existsSync(join(worktree, 'stolen')) ? readFileSync(join(worktree, 'stolen'), 'utf8') : '';
    const removed = await coordinator.carriedOut(place.settings, { kind: 'remove', force: true });

    expect(did).toEqual([
      'write-own-home',
      'link-message',
      'link-branch-log',
      'write-main',
      'plant-filter',
      'borrow',
      'commit',
      'commit-again',
      'push-own',
      'amend',
      'rebase',
      'test-run',
      'own-repository',
      'model',
    ]);
    expect(isAlive).toBe(true);
    expect(links).toBe(1);
    expect(readFileSync(join(dir, 'home/.bashrc'), 'utf8')).toBe('mine\n');
    expect(theft).not.toContain('CANARY');
    expect(removed.kind).toBe('removed');
    expect(existsSync(worktree)).toBe(false);
    expect(existsSync(join(machine.root, '.worktrees', 'bert'))).toBe(true);
    expect(existsSync(join(dir, 'data', 'homes', place.settings.workerId))).toBe(false);
    expect(existsSync(join(dir, 'home/.profile'))).toBe(false);
    for (const repository of [machine.source, machine.depot, machine.archive, machine.worktree('bert')])
      expect(machine.git(repository, 'fsck', '--strict')).not.toMatch(/error|missing|corrupt/);
  });

  test('when its source borrows objects from another repository, then git reads them, and nothing else of both repositories is seen', async () => {
    await using machine = await TestMachine.start({ caged: true });
    const { coordinator, dir, source } = machine;
    const lender = join(dir, 'home', 'lender');
    execFileSync('git', ['clone', '--quiet', '--bare', '--local', source, lender]);
    rmSync(join(source, '.git', 'objects'), { recursive: true });
    mkdirSync(join(source, '.git', 'objects', 'info'), { recursive: true });
    writeFileSync(join(source, '.git', 'objects', 'info', 'alternates'), `${join(lender, 'objects')}\n`);
    writeFileSync(join(source, '.env'), 'CANARY');
    const { programs = [], ...options } = caged(machine);
    // Nothing below /tmp is visible anyhow: the source is made as readable as one in /srv.
    await machine.agent({ ...options, programs: [...programs, source] });
    const settings = machine.worker();
    const prepare = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
    await expectKind(coordinator.carriedOut(settings, prepare), 'prepared');
    const hidden = [
      join(source, '.env'),
      join(source, '.git', 'config'),
      join(lender, 'config'),
      join(machine.depot, 'config'),
      join(machine.archive, 'config'),
    ];
    const check = ['git cat-file -p HEAD:a.txt', ...hidden.map((file) => `! cat ${file}`)].join(' && ');
    const project = { ...settings.project, validate: [['sh', '-xc', check]] };

    const checked = await coordinator.carriedOut({ ...settings, project }, { kind: 'validate', at: machine.pin() });

    expect(checked).toMatchObject({ kind: 'valid' });
  });
});

test('given a machine without bubblewrap, when a worker that shall be in a cage is started, then it is not, and the words name the package', async () => {
  await using machine = await TestMachine.start({ caged: true });
  const { coordinator } = machine;
  const bin = join(machine.dir, 'bin');
  mkdirSync(bin);
  for (const name of ['git', 'tmux', 'env', 'cat', 'sh'])
    execFileSync('sh', ['-c', `ln -s "$(command -v ${name})" ${join(bin, name)}`]);
  const options = caged(machine);
  await machine.agent({ ...options, env: { ...options.env, PATH: bin } });
  const settings = machine.worker();
  await coordinator.carriedOut(settings, { kind: 'prepare', reset: true, saveAs: randomUUID() });
  const launch = { kind: 'fresh', conversation: randomUUID() } as const;

  const message = expect.stringMatching(/"alba" is not started.*apt-get install bubblewrap/);
  const outcome = await coordinator.carriedOut(settings, { kind: 'open', launch });
  expect(outcome).toMatchObject({ kind: 'failed', code: 'isolation-missing', retry: false, message });
  expect(machine.witnessed()).toEqual([]);
});
