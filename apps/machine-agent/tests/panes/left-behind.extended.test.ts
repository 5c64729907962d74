/** Checks that programs of an earlier session end before another agent opens in the same worktree. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { worktreeOf } from '../../src/execute/worktree-of.ts';
import { accessFile } from '../../src/signals/hooks.ts';
import { expectKind, TestMachine } from '../support/machine.ts';
import { until } from '../support/until.ts';

// Command lines of cages and builds are longer than reports to people.
const STUBBORN = ['sh', '-c', 'trap "" TERM; while :; do sleep 0.1; done', 'x'.repeat(5_000)];
const PATIENT = ['sleep', '600'];

test.runIf(process.platform === 'linux')(
  'given a program of an earlier session that ignores SIGTERM, one of a namesake and one of a person in the same worktree, when the session is opened again, then only the first has ended',
  async () => {
    await using machine = await TestMachine.start();
    const { coordinator } = machine;
    await machine.agent();
    const worker = machine.worker();
    await machine.ready(worker);
    const cwd = worktreeOf(worker);
    const background = start(STUBBORN, { cwd, env: accessOf(machine, worker.workerId) });
    const ofNamesake = start(PATIENT, { cwd, env: accessOf(machine, randomUUID()) });
    const ofPerson = start(PATIENT, { cwd, env: {} });
    machine.tmux('kill-server');
    await until('an empty list of panes', () =>
      coordinator
        .bodies('panes')
        .slice(1)
        .find(({ panes }) => panes.length === 0),
    );

    await expectKind(coordinator.carriedOut(worker, { kind: 'open', launch: newLaunch() }), 'opened');

    expect([background, ofNamesake, ofPerson].map(worksSomewhere)).toEqual([false, true, true]);
  },
);

test.runIf(process.platform === 'linux')(
  'given an agent with a program that left its process group, when the agent is restarted, then that program has ended, a shell of a person beside it has not, and the new agent works',
  async () => {
    await using machine = await TestMachine.start();
    const { coordinator } = machine;
    const { settings: worker, incarnation } = await machine.openWorker();
    const background = start(PATIENT, { cwd: worktreeOf(worker), env: accessOf(machine, worker.workerId) });
    // Another pane of the session has the variables of the first one.
    const cwd = worktreeOf(worker);
    const split = ['split-window', '-d', '-P', '-F', '#{pane_pid}', '-t', `=drover-${worker.name}:`, '-c', cwd];
    const shell = Number(machine.tmux(...split, 'sh -c "sleep 600; :"'));
    // Until it becomes the shell, the new process has the variables of the tmux server.
    await until('the variables of the shell', () =>
      readFileSync(`/proc/${shell}/environ`, 'utf8').includes('DROVER_WORKER_FILE=') ? true : undefined,
    );
    const from = coordinator.stored.length;

    const respawn = { kind: 'respawn', incarnation, launch: newLaunch(), force: true } as const;
    await expectKind(coordinator.carriedOut(worker, respawn), 'opened');
    await machine.answered(worker, from);

    expect([background, shell].map(worksSomewhere)).toEqual([false, true]);
  },
);

test.runIf(process.platform === 'linux')(
  'given a coding agent that a person started in the worktree, when the session is opened, then it is refused by words with its process, the agent and an editor live, and when it has ended the session opens',
  async () => {
    await using machine = await TestMachine.start();
    const { coordinator } = machine;
    await machine.agent();
    const worker = machine.worker();
    const prepare = { kind: 'prepare', reset: true, saveAs: randomUUID() } as const;
    await expectKind(coordinator.carriedOut(worker, prepare), 'prepared');
    const cwd = join(worktreeOf(worker), 'src');
    mkdirSync(cwd);
    const program = join(machine.dir, 'claude');
    copyFileSync('/bin/sleep', program);
    chmodSync(program, 0o755);
    const ofPerson = start([program, '600'], { cwd, env: {} });
    const editor = start(PATIENT, { cwd, env: {} });

    const refused = await coordinator.carriedOut(worker, { kind: 'open', launch: newLaunch() });

    expect(refused).toMatchObject({ kind: 'failed', code: 'worktree-in-use', retry: false });
    expect(refused).toMatchObject({ message: expect.stringContaining(`process ${ofPerson} (${program} 600)`) });
    expect([ofPerson, editor].map(worksSomewhere)).toEqual([true, true]);
    expect(await coordinator.ask(worker, { kind: 'inventory', profiles: [] })).toMatchObject({
      looseAgents: [
        { what: `process ${ofPerson} (${program} 600)`, directory: cwd, end: `kill ${ofPerson}`, why: 'stranger' },
      ],
    });
    process.kill(ofPerson, 'SIGKILL');
    await until('its end', () => (worksSomewhere(ofPerson) ? undefined : true));
    await expectKind(coordinator.carriedOut(worker, { kind: 'open', launch: newLaunch() }), 'opened');
    expect(worksSomewhere(editor)).toBe(true);
    // The agent in the pane itself is where it belongs.
    expect(await coordinator.ask(worker, { kind: 'inventory', profiles: [] })).toMatchObject({ looseAgents: [] });
  },
);

test.runIf(process.platform === 'linux')(
  "given two workers, when one starts a coding agent in the other's worktree, then the doctor is told, and an agent that it starts in its own belongs there",
  async () => {
    await using machine = await TestMachine.start();
    const { coordinator } = machine;
    await machine.agent();
    const [adam, bea] = [machine.worker('adam'), machine.worker('bea')];
    await machine.ready(adam);
    await machine.ready(bea);
    const program = join(machine.dir, 'claude');
    copyFileSync('/bin/sleep', program);
    const split = ['split-window', '-d', '-P', '-F', '#{pane_pid}', '-t', '=drover-bea:'];
    const inPaneOfBea = (cwd: string): number => Number(machine.tmux(...split, '-c', cwd, `exec ${program} 600`));
    const guest = inPaneOfBea(worktreeOf(adam));
    const own = inPaneOfBea(worktreeOf(bea));
    for (const pid of [guest, own])
      await until('its program', () => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(program));

    expect(await coordinator.ask(adam, { kind: 'inventory', profiles: [] })).toMatchObject({
      looseAgents: [{ what: `process ${guest} (${program} 600)`, directory: worktreeOf(adam), end: `kill ${guest}` }],
    });
  },
);

function newLaunch(): { readonly kind: 'fresh'; readonly conversation: string } {
  return { kind: 'fresh', conversation: randomUUID() };
}

/** @returns the process id; the program ends with the test at the latest. */
function start(
  [program = '', ...args]: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): number {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child.pid ?? 0;
}

function accessOf({ dir }: TestMachine, workerId: string): Readonly<Record<string, string>> {
  return { DROVER_WORKER_FILE: accessFile(join(dir, 'data'), workerId) };
}

function worksSomewhere(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) !== '';
  } catch {
    return false;
  }
}
