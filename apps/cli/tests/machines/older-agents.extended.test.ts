/** Do agents of the two versions before this one do their work for a coordinator of this one? Each is built from its commit. */
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { hasCommit, olderBuild } from '../support/older-build.ts';
import { endProcess, output } from '../support/processes.ts';
import { Sandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

/** The last builds before a minor of the protocol: they lack what it brought. */
const BUILDS = [
  {
    name: 'before-namesakes',
    commit: '2edc3ad5bffbb731e3a1fe491193a08856222246',
    lacks: /protocol 2\.2\).*may lack: two workers of one name/su,
  },
  {
    name: 'before-conditions',
    commit: '634eddd21352a469d5b7062be93f10d5dc5fcad9',
    lacks: /protocol 2\.0\).*may lack: .*programs, load/su,
  },
];

const isWhole = BUILDS.every(({ commit }) => hasCommit(commit));
const mark = isWhole ? '' : 'NOT RUN, this clone has no history: ';

test.skipIf(!isWhole)(
  `${mark}given agents of the two versions before, when a worker on each gets a task, then it is merged, and people are told what the agents lack`,
  async () => {
    await using sandbox = await Sandbox.withRoot();
    const up = await sandbox.up();
    await using stack = new AsyncDisposableStack();
    for (const { name, commit, lacks } of BUILDS) {
      const program = await olderBuild(commit, path.join(sandbox.directory, name));
      const home = path.join(sandbox.directory, 'homes', name);
      await mkdir(home, { recursive: true, mode: 0o700 });
      await writeFile(path.join(home, '.gitconfig'), '[user]\nname = Bert\nemail = bert@example.com\n');
      const { token } = JSON.parse((await sandbox.drover(['machines', 'invite', '--json'])).stdout);
      const file = path.join(home, 'join-token');
      await writeFile(file, token, { mode: 0o600 });
      const agent = spawn(program, ['agent', '--url', up.url, '--join-file', file, '--name', name], {
        cwd: home,
        env: { ...sandbox.env, HOME: home, DROVER_DATA_DIR: path.join(home, 'data') },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      stack.defer(async () => void (await endProcess(agent, 'SIGTERM')));
      const said = output(agent);
      await until(`the agent ${name} to be connected`, async () => {
        if (agent.exitCode !== null) throw new Error(`drover agent ended:\n${said()}`);
        const machines = await sandbox.ask<readonly { name: string; state: string }[]>('machines.list');
        return machines.some((one) => one.name === name && one.state === 'connected') || undefined;
      });
      const worker = `w-${name}`;
      expect(await sandbox.drover(['add', worker, '--machine', name])).toMatchObject({ status: 0 });
      await sandbox.until(worker, 'idle');
      expect(await sandbox.drover(['start', '--worker', worker, '--prompt', 'Note it.'])).toMatchObject({ status: 0 });
      await sandbox.until(worker, 'needs_review');
      expect(await sandbox.drover(['review', worker])).toMatchObject({ status: 0 });
      expect(await sandbox.drover(['accept', worker])).toMatchObject({ status: 0 });
      await sandbox.until(worker, 'idle');
      const shown = (await sandbox.drover(['machines', 'show', name])).stdout;
      expect(shown).toMatch(lacks);
      expect(shown).toMatch(/drover machine upgrade .*npm install --global/su);
    }
    expect(await sandbox.git('rev-list', '--count', 'main')).toBe('3');
  },
  600_000,
);
