/** Checks of a project: their places, and the reports of checks that fail, are late, or cannot run. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from '../support/machine.ts';
import { prepared } from '../support/prepared.ts';

test('given work that is merged with a newer main, when it is checked, then a landing worktree is made ready once and kept', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker();
  const setup = [['sh', '-c', 'echo made >> build.log']];
  const validate = [['sh', '-c', 'test -f b.txt && test -f c.txt && test "$(cat build.log)" = made && cat keys.env']];
  writeFileSync(join(machine.source, '.gitignore'), 'build.log\nkeys.env\n');
  machine.commit(machine.source, { 'a.txt': 'two\n' }, 'ignore');
  writeFileSync(join(machine.source, 'keys.env'), 'key\n');
  const checked = { ...settings, project: { ...settings.project, setup, validate, copyFiles: ['keys.env'] } };
  await prepared(machine, checked);
  machine.commit(machine.worktree(), { 'b.txt': 'bee\n' }, 'one');
  machine.commit(machine.source, { 'c.txt': 'sea\n' }, 'meanwhile');
  const make = { kind: 'candidate', at: machine.pin(), began: null } as const;
  const { commit, tree } = await expectKind(coordinator.carriedOut(checked, make), 'candidate');
  const at = { head: commit, tree };

  await expectKind(coordinator.carriedOut(checked, { kind: 'validate', at }), 'valid');
  await expectKind(coordinator.carriedOut(checked, { kind: 'validate', at }), 'valid');
  const broken = { ...checked, project: { ...checked.project, setup: [['sh', '-c', 'echo no registry; exit 1']] } };
  const failed = await expectKind(coordinator.carriedOut(broken, { kind: 'validate', at }), 'failed');
  const lacking = { ...checked, project: { ...checked.project, validate: [['sh', '-c', 'echo no tools; exit 1']] } };
  const invalid = await expectKind(coordinator.carriedOut(lacking, { kind: 'validate', at }), 'invalid');
  const bare = { ...lacking, project: { ...lacking.project, setup: [] } };
  const told = await expectKind(coordinator.carriedOut(bare, { kind: 'validate', at }), 'invalid');

  expect(failed).toMatchObject({ code: 'setup-failed', message: expect.stringContaining('no registry') as string });
  expect(invalid.output).toMatch(/^The checks ran on the work merged with the newest "main", in "[^"]*"\.\nno tools/u);
  expect(told.output).toContain('"setup" of [repo] in drover.toml');
});

test('given checks of which one is late once, and one whose program is not there, when they run, then the work is blamed for neither', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker();
  await prepared(machine, settings);
  const head = machine.commit(machine.worktree(), { 'b.txt': 'bee\n' }, 'work');
  const at = { head, tree: machine.git(machine.worktree(), 'rev-parse', 'HEAD^{tree}') };
  const checkedBy = (...validate: string[][]) => ({
    ...settings,
    project: { ...settings.project, validate, validateTimeoutMs: 1_500 },
  });
  const ran = join(machine.dir, 'ran');
  const late = ['sh', '-c', `echo x >> ${ran}; test "$(wc -l < ${ran})" -gt 1 || exec sleep 600`];

  await expectKind(coordinator.carriedOut(checkedBy(['true'], late), { kind: 'validate', at }), 'valid');
  const never = ['sh', '-c', 'exec sleep 600'];
  const slow = await expectKind(coordinator.carriedOut(checkedBy(never), { kind: 'validate', at }), 'invalid');
  const tool = await expectKind(
    coordinator.carriedOut(checkedBy(['no-such-tool']), { kind: 'validate', at }),
    'failed',
  );

  expect(slow.output).toContain('did not end in time');
  expect(tool).toMatchObject({ code: 'check-program-missing', retry: false });
  expect(tool.message).toContain('there is no program "no-such-tool" on this machine');
});

test('given checks that fail, and changes that are not committed, when asked, then each is said', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker();
  const failing = { ...settings, project: { ...settings.project, validate: [['sh', '-c', 'echo no good; exit 3']] } };
  await prepared(machine, settings);

  const invalid = await expectKind(coordinator.carriedOut(failing, { kind: 'validate', at: machine.pin() }), 'invalid');
  writeFileSync(join(machine.worktree(), 'a.txt'), 'changed\n');
  const dirty = await expectKind(coordinator.carriedOut(settings, { kind: 'rebase', at: null, began: null }), 'failed');

  expect(invalid.output).toContain('no good');
  expect(dirty).toMatchObject({ code: 'worktree-dirty', retry: false });
});
