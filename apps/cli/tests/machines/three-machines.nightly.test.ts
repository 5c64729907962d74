/** Plays a team's day in one run: three machines with homes and workspaces of their own, two projects. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Ended } from '../../../../tools/fleet/processes.ts';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { SecondMachine } from '../../../../tools/fleet/second-machine.ts';
import { until } from '../../../../tools/fleet/wait.ts';
import { Visitor } from '../support/visitor.ts';

/** Short leases, because a machine is away here; long enough for agents that a busy computer delays. */
const LEASES = 'suspect_after_secs = 12\ndisconnected_after_secs = 15\n';

interface Seen {
  readonly name: string;
  readonly project: string;
  readonly machine: string;
  readonly status: string;
  readonly screen: string | null;
}

test('given three machines and two projects, when a team places, cordons, drains, revokes and loses machines, then work goes where it may, each step says why, and all of it is merged', async () => {
  await using sandbox = await Sandbox.withRoot();
  await sandbox.configure(`[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\n${LEASES}`);
  const up = await sandbox.up();
  const remote = path.join(sandbox.directory, 'tools.git');
  await sandbox.git('clone', '--quiet', '--bare', sandbox.source, remote);
  await using server = await SecondMachine.join(sandbox, up);
  await using far = await SecondMachine.join(sandbox, up, { name: 'far', user: 'cora' });
  const workers = (): Promise<readonly Seen[]> => sandbox.ask('workers.list');
  const reached = async (project: string, name: string, status: string): Promise<Seen> =>
    until(`${project}/${name} to be ${status}`, async () =>
      (await workers()).find((one) => one.project === project && one.name === name && one.status === status),
    );
  const tools = (name: string, ...args: readonly string[]): Promise<Ended> =>
    sandbox.drover(['add', name, '--project', 'tools', ...args]);

  // Labels and capacity; a root that cannot be made, and its message to others.
  await sandbox.done('machine', 'label', 'far', '--add', 'gpu', '--capacity', '1');
  await sandbox.done('project', 'add', 'tools', '--source', `file://${remote}`);
  await mkdir(path.join(far.dataDir, 'workspace'), { recursive: true });
  await writeFile(path.join(far.dataDir, 'workspace/tools'), 'in the way\n');
  expect((await tools('gus', '--labels', 'gpu')).status).toBe(0);
  await until(
    'the root to fail',
    async () => /far +failed/u.test(await sandbox.done('project', 'show', 'tools')) || undefined,
  );
  const full = await tools('hal', '--labels', 'gpu');
  await rm(path.join(far.dataDir, 'workspace/tools'));
  // The command may report that the worker is not removed yet, as long as its machine has not retried.
  await sandbox.drover(['nuke', 'tools/gus', '--force']);
  await until('gus to be gone', async () => (await workers()).length === 0 || undefined);
  expect((await tools('gus', '--labels', 'gpu', '--machine', 'far')).status).toBe(0);

  // Two workers of the same name on one machine; a cordon keeps the third from it.
  const here = (await sandbox.ask<readonly { name: string }[]>('machines.list')).find(
    ({ name }) => name !== 'server' && name !== 'far',
  );
  const laptop = here?.name ?? '';
  const asked = await sandbox.drover(['add', 'ida']);
  await sandbox.done('add', 'eva', '--project', 'demo-drover', '--machine', laptop);
  expect((await tools('eva', '--machine', laptop)).status).toBe(0);
  await sandbox.done('machine', 'cordon', laptop);
  await sandbox.done('add', 'udo', '--project', 'demo-drover');
  await reached('tools', 'gus', 'idle');
  await reached('tools', 'eva', 'idle');
  await reached('demo-drover', 'eva', 'idle');
  const why = await sandbox.done('why', 'udo', '--all');
  const ambiguous = await sandbox.drover(['start', '--worker', 'eva', '--prompt', 'x']);
  const sessions = [await sessionOf(sandbox, 'demo-drover/eva'), await sessionOf(sandbox, 'tools/eva')];

  // Settings change during work; its machine is drained meanwhile, so that the worker continues elsewhere.
  expect((await reached('demo-drover', 'udo', 'idle')).machine).toBe('server');
  await sandbox.done('machine', 'uncordon', laptop);
  await sandbox.done('start', '--worker', 'udo', '--prompt', 'WRITE draft.txt half an idea\nSLOW 3000\nCOMMIT by udo');
  await sandbox.done('worker', 'edit', 'udo', '--model', 'sonnet');
  const settings = await sandbox.done('worker', 'show', 'udo');
  await sandbox.done('machine', 'drain', 'server');
  const udo = await reached('demo-drover', 'udo', 'needs_review');

  // A machine that disconnects and comes back, and a revoked machine.
  await sandbox.done('start', '--worker', 'tools/gus', '--prompt', 'WRITE of-tools.txt it\nCOMMIT by tools');
  await reached('tools', 'gus', 'needs_review');
  await far.kill();
  const isAt = async (state: string): Promise<true | undefined> =>
    (await sandbox.ask<readonly { name: string; state: string }[]>('machines.list')).some(
      (one) => one.name === 'far' && one.state === state,
    ) || undefined;
  await until('far to be away', () => isAt('disconnected'));
  const away = await tools('hal', '--labels', 'gpu');
  const tried = await far.drover(['server', 'agent', '--until-connected']);
  await far.start();
  await sandbox.done('review', 'tools/gus');
  await sandbox.done('accept', 'tools/gus');
  // Input would be lost while its agent starts again.
  await until('the agent of gus to be ready again', async () =>
    (await workers()).some(({ name, status, screen }) => name === 'gus' && status === 'idle' && screen === 'ready'),
  );
  // Its terminal, which only the coordinator reaches: input goes there, and the end of its machine's rights ends it.
  using visitor = new Visitor(sandbox, ['attach', 'tools/gus', '--via', 'relay']);
  await visitor.shows(/gus on far \| Ctrl-b d leaves/u);
  await until('its pane to have the size of that terminal', () => paneWidths(sandbox, 'drover-gus').includes(100));
  visitor.type('quoth');
  await until(
    'gus to see what is typed',
    async () => (await sandbox.done('logs', 'tools/gus', '--pane')).includes('quoth') || undefined,
  );
  await visitor.shows(/quoth/u);
  await sandbox.done('machine', 'revoke', 'far', '--yes');
  const left = await visitor.shows(/\[ended \d+\]/u);
  const revoked = await tools('hal', '--labels', 'gpu');
  await sandbox.done('review', 'udo');
  await sandbox.done('accept', 'udo');

  expect([full, away, revoked].map(({ status }) => status)).not.toContain(0);
  expect(full.stderr).toMatch(/"far" is full: 1 of 1 workers/u);
  expect(full.stderr).toContain('"server" does not have the label gpu');
  expect(away.stderr).toContain('"far" is disconnected');
  expect(revoked.stderr).toContain('"far" is revoked');
  expect(tried).toMatchObject({ status: 0, stderr: expect.not.stringContaining('could read') });
  expect(statSync(path.join(server.dataDir, 'workspace')).mode & 0o077).toBe(0);
  expect(left).toMatch(/Left gus: .*"far" of "tools\/gus" is revoked/su);
  expect(asked.stderr).toContain('--project');
  expect(why).toContain(`It is on "${server.name}": `);
  expect(ambiguous.stderr).toContain('demo-drover/eva, tools/eva');
  expect(sessions).toEqual(['=drover-eva', expect.stringMatching(/^=drover-eva_[0-9a-f]{8}$/u)]);
  expect(settings).toMatch(/sonnet/u);
  expect(udo.machine).toBe(laptop);
  expect(await sandbox.done('worker', 'show', 'udo')).toMatch(/model +sonnet/u);
  expect(existsSync(path.join(far.dataDir, 'workspace/tools/.worktrees/gus/.git'))).toBe(true);
  expect(await sandbox.git('-C', remote, 'log', '--format=%s', 'main')).toContain('by tools');
  expect((await sandbox.git('log', '--format=%s', 'main')).split('\n')).toEqual(['by udo', 'first']);
}, 600_000);

/** Reads the columns of the panes of a session, on whichever tmux server of the test has it. */
function paneWidths(sandbox: Sandbox, session: string): readonly number[] {
  return globSync(path.join(sandbox.directory, 'run/fleets/*/tmux.sock')).flatMap((socket) => {
    const words = ['-S', socket, 'display-message', '-p', '-t', `=${session}:`, '#{pane_width}'];
    const { status, stdout } = spawnSync('tmux', words);
    return status === 0 ? [Number(stdout)] : [];
  });
}

/** Finds the session that `drover attach` would open. */
async function sessionOf(sandbox: Sandbox, name: string): Promise<string | undefined> {
  return JSON.parse((await sandbox.drover(['attach', name, '--json'])).stdout).argv.at(-1);
}
