/** Two agents in one worktree: what an earlier session left there ends before another one opens. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { worktreeOf } from '../../src/execute/worktree-of.ts';
import { accessFile } from '../../src/signals/hooks.ts';
import { expectKind, TestMachine } from '../support/machine.ts';
import { until } from '../support/until.ts';

// Command lines of cages and builds are longer than what people are told of them.
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
  'given an agent with a program that left its process group, when the agent is restarted, then that program has ended and the new agent works',
  async () => {
    await using machine = await TestMachine.start();
    const { coordinator } = machine;
    const { seat: worker, incarnation } = await machine.seated();
    const background = start(PATIENT, { cwd: worktreeOf(worker), env: accessOf(machine, worker.workerId) });
    const from = coordinator.stored.length;

    const respawn = { kind: 'respawn', incarnation, launch: newLaunch(), force: true } as const;
    await expectKind(coordinator.carriedOut(worker, respawn), 'opened');
    await machine.answered(worker, from);

    expect(worksSomewhere(background)).toBe(false);
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
