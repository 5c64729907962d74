/** Checks that everything that Drover does with a worker works around its cage. Real bubblewrap. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { caged, notRun, openInCage } from './support/caged.ts';
import { deliverCommand } from './support/deliver-command.ts';
import { expectKind, TestMachine } from './support/machine.ts';
import { until } from './support/until.ts';

describe.skipIf(notRun !== '')(`given a worker in a cage${notRun}`, () => {
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
