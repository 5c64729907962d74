/** Checks the ways past its pane by which a second coding agent gets into a worktree: it is ended, or a person is asked. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { AgentsAbout, hasNamespaces } from '../support/agents-about.ts';
import { expectKind, TestMachine } from '../support/machine.ts';

const isLinux = process.platform === 'linux';

test.runIf(isLinux).each([
  ['with setsid', 'setsid "$CLAUDE"'],
  ['with nohup', 'nohup "$CLAUDE" &'],
  ['by a fork of a fork', '("$CLAUDE" & ) &'],
  ['in a tmux of its own', 'tmux -S "$WORKTREE/own" new-session -d "$CLAUDE"'],
  ['with another working directory', 'cd / && setsid "$CLAUDE" &'],
])('given an agent that a pane has started %s, when the next pane opens, then it has ended', async (_, line) => {
  const about = new AgentsAbout();
  about.run(line);
  await about.started();

  const ended = await about.open();

  expect(about.living()).toEqual([]);
  expect(ended).toEqual(expect.arrayContaining([expect.stringContaining('bin/claude')]));
});

test.runIf(isLinux).each([
  ['in the worktree', 'exec "$CLAUDE"', undefined],
  ['elsewhere, with the worktree among its arguments', 'exec "$CLAUDE" --add-dir "$WORKTREE"', '/'],
])('given an agent that a person has started %s, when a pane opens, then a person is asked', async (_, line, cwd) => {
  const about = new AgentsAbout();
  about.run(line, { isOfPane: false, ...(cwd !== undefined && { cwd }) });
  const pid = await about.started();

  await expect(about.open()).rejects.toThrow(`process ${pid}`);

  expect(about.living()).toEqual(['agent']);
});

test.runIf(isLinux && hasNamespaces())(
  'given an agent in a container, in which the worktree has another name, when a pane opens, then a person is asked',
  async () => {
    const about = new AgentsAbout();
    const line = 'exec bwrap --bind / / --tmpfs /mnt --bind "$WORKTREE" /mnt/work --chdir /mnt/work "$CLAUDE"';
    about.run(line, { isOfPane: false });
    await about.started();

    await expect(about.open()).rejects.toThrow('is a coding agent that Drover did not start for it');

    expect(about.living()).toEqual(['agent']);
  },
);

test.runIf(isLinux)(
  'given a shell that a person has in the worktree, and an agent of the person elsewhere, when a pane opens, then both go on',
  async () => {
    const about = new AgentsAbout();
    about.run('cd / && "$CLAUDE" & while :; do sleep 0.1; done', { isOfPane: false });
    await about.started();

    expect(await about.open()).toEqual([]);

    expect(about.living()).toEqual(['agent']);
  },
);

test.runIf(isLinux)(
  'given a daemon that starts its background session again, when a pane of the worker that started both opens, then both have ended',
  async () => {
    const about = new AgentsAbout();
    about.wantSession();
    about.run('cd / && exec "$CLAUDE" daemon run --origin transient');
    await about.started('session');

    const ended = await about.open();

    expect(about.living()).toEqual([]);
    expect(ended[0]).toBe('background session 29158c97 of Claude Code');
    expect(ended).toEqual(expect.arrayContaining([expect.stringContaining('daemon run')]));
  },
);

test.runIf(isLinux)(
  'given a background session of a daemon that a person has started, when a pane opens, then a person is asked with the command that ends it',
  async () => {
    const about = new AgentsAbout();
    about.wantSession();
    about.run('cd / && exec "$CLAUDE" daemon run --origin transient', { isOfPane: false });
    await about.started('session');

    await expect(about.open()).rejects.toThrow(`End it with "${about.claude} stop 29158c97"`);

    expect(about.living()).toEqual(['session']);
  },
);

test('given a start that two coordinators command, or that a machine agent repeats after its death, when both have come, then one program runs', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const first = await machine.agent();
  const settings = machine.worker();
  await expectKind(
    coordinator.carriedOut(settings, { kind: 'prepare', reset: true, saveAs: randomUUID() }),
    'prepared',
  );
  const launch = { kind: 'fresh', conversation: randomUUID() } as const;

  const atOnce = await Promise.all([
    coordinator.carriedOut(settings, { kind: 'open', launch: { ...launch, conversation: randomUUID() } }),
    coordinator.carriedOut(settings, { kind: 'open', launch }),
  ]);
  await first[Symbol.asyncDispose]();
  await machine.agent();
  const again = await coordinator.carriedOut(settings, { kind: 'open', launch });

  // A command that a newer one has overtaken is not carried out.
  expect(again).toMatchObject({ kind: 'opened' });
  expect(
    atOnce.filter((one) => one.kind !== 'opened').every((one) => one.kind === 'failed' && one.code === 'superseded'),
  ).toBe(true);
  expect(new Set(atOnce.flatMap((one) => (one.kind === 'opened' ? [one.incarnation] : [])))).toEqual(
    new Set([again.kind === 'opened' ? again.incarnation : '']),
  );
  expect(machine.tmux('list-panes', '-a', '-F', '#{@drover_worker}').trim()).toBe(settings.workerId);
});
