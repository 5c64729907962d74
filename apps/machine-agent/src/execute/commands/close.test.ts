/** Checks that a program is asked to end before its terminal is taken away. A real process; tmux is scripted. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@drover/base';
import { createLocalHost } from '@drover/host';
import { expect, onTestFinished, test } from 'vitest';
import type { CommandContext } from '../tools.ts';
import { close } from './close.ts';

const host = createLocalHost({ env: {} });

test('given a program that saves its work when it is asked to end, when its session is closed, then it has ended by itself before the hang-up', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'drover-close-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const note = path.join(directory, 'note');
  const words = `trap 'echo saved > "${note}"; exit 0' TERM; echo ready; while :; do sleep 0.05; done`;
  const program = spawn('sh', ['-c', words], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void program.kill('SIGKILL'));
  await once(program.stdout, 'data');
  const pid = program.pid ?? 0;
  const seen: string[] = [];

  const killed = async (): Promise<void> => {
    seen.push((await host.processes.isRunning(pid)) ? 'hung up while it ran' : 'ended');
  };
  const result = await close(contextOf(pid, killed));

  expect(result).toEqual({ kind: 'closed' });
  expect(seen).toEqual(['ended']);
  expect(readFileSync(note, 'utf8')).toBe('saved\n');
});

/** Session with this process, until it is killed. */
function contextOf(panePid: number, killed: () => Promise<void>): CommandContext {
  const pane = { dead: false, incarnation: { serverPid: 1, sessionCreated: 1, paneId: '%1', panePid } };
  let isThere = true;
  const server = {
    killSession: async (): Promise<{ kind: 'killed' }> => {
      isThere = false;
      await killed();
      return { kind: 'killed' };
    },
  };
  return {
    host,
    tmux: { find: () => Promise.resolve(isThere ? { server, pane } : undefined) },
    settings: { workerId: 'w', name: 'adam' },
    panes: { expectGone: () => {} },
    clock: systemClock,
    signal: new AbortController().signal,
    log: () => {},
  } as unknown as CommandContext;
}
