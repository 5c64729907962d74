/** Checks that a cage holds a hostile program, and that everything that Drover does with a worker works around it. Real bubblewrap. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomUUID } from 'node:crypto';
import { createLocalHost } from '@drover/host';
import { describe, expect, test } from 'vitest';
import { examineCage } from '../src/cage/examine.ts';
import type { MachineAgentOptions } from '../src/index.ts';
import { expectKind, TestMachine, type Place } from './support/machine.ts';
import { deliverCommand } from './support/deliver-command.ts';
import { until } from './support/until.ts';

const ATTACK = readFileSync(fileURLToPath(new URL('support/cage-attack.sh', import.meta.url)), 'utf8');
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const ability = await examineCage(createLocalHost({ env: process.env }));
const notRun = ability.kind === 'missing' ? ` (not run: ${ability.says})` : '';

function caged(machine: TestMachine): Partial<MachineAgentOptions> {
  const { profiles } = machine.plainOptions;
  writeFileSync(machine.witness, '', { flag: 'a' });
  const sim = { args: [], env: {}, ...profiles['sim'] };
  return {
    profiles: { sim: { ...sim, isolation: 'bubblewrap', isolation_writes: [machine.witness] } },
    programs: [REPOSITORY, dirname(process.execPath)],
    env: { ...machine.plainOptions.env, SSH_AUTH_SOCK: '/run/agent', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus' },
  };
}

async function openInCage(machine: TestMachine): Promise<Place> {
  await machine.agent(caged(machine));
  const settings = machine.worker();
  return { settings, incarnation: await machine.ready(settings) };
}

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

  test('when it makes its .git belong to a repository of its own, then no git of Drover works by that, it is started no more, and force keeps the place aside', async () => {
    await using machine = await TestMachine.start({ caged: true });
    const { coordinator, dir } = machine;
    const { settings, incarnation } = await openInCage(machine);
    const evil = join(machine.worktree(), 'evil');
    const plant = `git init -q evil && git -C evil config core.fsmonitor 'touch ${dir}/ran; false' && echo ${evil}/.git > .git/commondir`;
    await machine.turn({ settings, incarnation }, `RUN ${plant}`);
    await until('its attack', () => existsSync(join(machine.worktree(), '.git', 'commondir')));
    const profiles = ['sim'];

    const observed = await coordinator.carriedOut(settings, { kind: 'observe', base: null, delivery: null });
    const saved = await coordinator.carriedOut(settings, {
      kind: 'checkpoint',
      id: randomUUID(),
      type: 'manual',
      why: '',
    });
    const inventory = await expectKind(coordinator.ask(settings, { kind: 'inventory', profiles }), 'inventory');
    await expectKind(coordinator.carriedOut(settings, { kind: 'close' }), 'closed');
    const opened = await coordinator.carriedOut(settings, {
      kind: 'open',
      launch: { kind: 'fresh', conversation: randomUUID() },
    });
    const refused = await coordinator.carriedOut(settings, { kind: 'remove', force: false });
    const removed = await coordinator.carriedOut(settings, { kind: 'remove', force: true });

    expect(JSON.stringify(observed)).not.toContain('"ahead"');
    expect(saved).toMatchObject({ kind: 'failed', message: expect.stringContaining('belongs to another repository') });
    expect(JSON.stringify(inventory)).toContain('alba');
    expect(opened).toMatchObject({ kind: 'failed', code: 'isolation-git' });
    expect(refused).toMatchObject({ kind: 'not-removed', why: expect.stringContaining('belongs to another') });
    expect(removed).toMatchObject({ kind: 'removed', kept: expect.stringContaining('.alba.removed-') });
    expect(existsSync(machine.worktree())).toBe(false);
    expect(existsSync(join(dir, 'ran'))).toBe(false);
  });

  test('when it works, crashes and is started again, then hooks, status, transcript, checks and its end are as without one', async () => {
    await using machine = await TestMachine.start({ caged: true });
    const { coordinator } = machine;
    const { settings, incarnation } = await openInCage(machine);
    writeFileSync(join(machine.dir, 'data', 'endpoint.json'), 'CANARY');
    const check = `test ! -e ${machine.dir}/data/endpoint.json && test -n "$DROVER_WORKER" && pwd`;
    const project = { ...settings.project, validate: [['sh', '-c', check]] };

    const delivered = await machine.turn({ settings, incarnation }, 'EDIT a.txt caged\nCOMMIT work');
    const screen = await until('agreement', async () => {
      const answer = await expectKind(coordinator.ask(settings, { kind: 'read-screen' }), 'screen');
      const sources = answer.evidence.map(({ source }) => source);
      return sources.includes('structured') && sources.includes('transcript') ? answer : undefined;
    });
    const observe = { kind: 'observe', base: null, delivery: null } as const;
    const observed = await expectKind(coordinator.carriedOut(settings, observe), 'observed');
    const checked = await coordinator.carriedOut({ ...settings, project }, { kind: 'validate', at: machine.pin() });
    await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, 'CRASH 3')), 'delivered');
    const exit = await until('its end', () => coordinator.bodies('exit')[0]);
    const from = coordinator.stored.length;
    const launch = { kind: 'resume', conversation: randomUUID() } as const;
    await expectKind(coordinator.carriedOut(settings, { kind: 'respawn', incarnation, launch, force: true }), 'opened');
    await machine.answered(settings, from);
    await expectKind(coordinator.carriedOut(settings, { kind: 'close' }), 'closed');

    expect(delivered).toMatchObject({ kind: 'delivered' });
    expect(checked).toMatchObject({ kind: 'valid' });
    expect(screen.confidence).toBe('high');
    expect(JSON.stringify(observed)).toContain('work');
    expect(JSON.stringify(exit)).toContain('"status":3');
    expect(existsSync(join(machine.dir, 'home', '.sim-agent'))).toBe(false);
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

  test('when its source is a worktree of a repository elsewhere, then nothing of that repository is seen, either', async () => {
    await using machine = await TestMachine.start({ caged: true });
    const { coordinator, dir, source } = machine;
    const linked = join(dir, 'linked source');
    machine.git(source, 'worktree', 'add', '--quiet', linked, '-b', 'beside');
    writeFileSync(join(source, '.env'), 'CANARY');
    await machine.agent(caged(machine));
    const settings = machine.worker();
    const hidden = [join(linked, 'a.txt'), join(source, '.env'), join(source, '.git', 'config')];
    const check = ['git log', ...hidden.map((file) => `! cat "${file}"`)].join(' && ');
    const validate = [['sh', '-xc', check]];
    const project = { ...settings.project, source: `file://${linked.replace(' ', '%20')}`, validate };
    const worker = { ...settings, project };
    await expectKind(
      coordinator.carriedOut(worker, { kind: 'prepare', reset: true, saveAs: randomUUID() }),
      'prepared',
    );

    const checked = await coordinator.carriedOut(worker, { kind: 'validate', at: machine.pin() });

    expect(checked).toMatchObject({ kind: 'valid' });
  });

  test('when its work is checked in a landing worktree, then the checks run in its cage, and the depot and the landing worktree of others stay', async () => {
    await using machine = await TestMachine.start({ caged: true });
    const { coordinator, dir } = machine;
    await machine.agent(caged(machine));
    const settings = machine.worker();
    const prepare = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
    await expectKind(coordinator.carriedOut(settings, prepare), 'prepared');
    writeFileSync(join(dir, 'data', 'endpoint.json'), 'CANARY');
    machine.commit(machine.worktree(), { 'b.txt': 'bee\n' }, 'one');
    machine.commit(machine.source, { 'c.txt': 'sea\n', '.gitignore': 'out\n' }, 'meanwhile');
    const place = join(dir, 'data', 'depots', settings.project.id);
    const { depot } = machine;
    mkdirSync(join(place, '+landing'), { recursive: true });
    const attack = [
      `! cat ${dir}/data/endpoint.json`,
      `! ls ${join(place, '+landing')}`,
      `! ls ${machine.worktree()}`,
      `! touch ${depot}/refs/heads/evil`,
      `! git update-ref refs/heads/evil HEAD`,
      `! git config core.fsmonitor evil`,
      `! git commit --allow-empty -m evil`,
      `! mv .git elsewhere`,
      `! sh -c 'echo gitdir: /tmp > .git'`,
      'test "$(git rev-parse HEAD)" = "$WANTED"',
      'test -f b.txt && test -f c.txt && echo made > out && pwd',
    ].join(' && ');
    const make = { kind: 'candidate', at: machine.pin(), began: null } as const;
    const { commit, tree } = await expectKind(coordinator.carriedOut(settings, make), 'candidate');
    const project = { ...settings.project, validate: [['sh', '-xc', `WANTED=${commit}; ${attack}`]] };

    const checked = await coordinator.carriedOut(
      { ...settings, project },
      { kind: 'validate', at: { head: commit, tree } },
    );

    expect(checked).toMatchObject({ kind: 'valid', head: commit });
    expect(readFileSync(join(place, `+landing-${settings.workerId}`, 'out'), 'utf8')).toBe('made\n');
    expect(machine.git(depot, 'for-each-ref', '--format=%(refname)', 'refs/heads')).toBe('refs/heads/main');
    await expectKind(coordinator.carriedOut(settings, { kind: 'remove', force: true }), 'removed');
    expect(existsSync(join(place, `+landing-${settings.workerId}`))).toBe(false);
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
