/**
 * Plays docs/guides/operations.md, "Upgrade" and its way back, between two packages as people install them. The second
 * has a migration more.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { endOf, endProcess, finished, output, withDeadline } from '../../../../tools/fleet/processes.ts';
import { REPOSITORY } from '../../../../tools/fleet/program.ts';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { until } from '../../../../tools/fleet/wait.ts';

const run = promisify(execFile);
const TEST_MS = 900_000;

test(
  'given a worker at a task, when the next version is installed and then the old one again, then the agent works on all the while, and its work is there on the way back',
  { timeout: TEST_MS },
  async () => {
    await using sandbox = await Sandbox.open();
    const installed = new Installed(sandbox);
    const [first, second] = await twoVersions(sandbox);
    await installed.install(first);
    await installed.drover(['init'], sandbox.source);
    await sandbox.configure('[defaults]\nprofile = "sim"\n');
    const go = path.join(sandbox.directory, 'go');
    {
      await using _ = await installed.up();
      await installed.drover(['add', 'adam', '--wait']);
      await installed.drover(['start', '--prompt', `WRITE done.md yes\nWAITFILE ${go}\nCOMMIT Done`]);
      await installed.until('adam', 'working');
    }
    const before = await agentOf(sandbox);

    await installed.install(second);
    {
      await using _ = await installed.up();
      await writeFile(go, '');
      await installed.until('adam', 'needs_review');

      expect(await agentOf(sandbox)).toEqual(before);
      expect(await logOf(sandbox)).toMatch(
        /Backed up the database before its migration: [^]*Brought the database to migration 0002_next \(1 step\)/u,
      );
    }

    await installed.install(first);
    const refused = await installed.ended(['up', '--port', '0']);
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain('has the migration "0002_next.sql", which this build of Drover does not know');
    await installed.drover(['doctor', '--repair', '--restore', '20', '--yes']);
    {
      await using _ = await installed.up();

      expect(await agentOf(sandbox)).toEqual(before);
      // Restored, the database knows the task and not its end; the commit is in the clone.
      expect(JSON.parse(await installed.drover(['status', '--json']))).toMatchObject([{ name: 'adam' }]);
      const clone = path.join(sandbox.root, '.worktrees/adam');
      expect(await sandbox.git('-C', clone, 'log', '--format=%s', '-n', '1')).toBe('Done');
    }
  },
);

/** Drover as npm installs it. */
class Installed {
  readonly #sandbox: Sandbox;
  readonly #prefix: string;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.#prefix = path.join(sandbox.directory, 'prefix');
  }

  /** Installs a package without a registry. */
  async install(file: string): Promise<void> {
    await mkdir(this.#prefix, { recursive: true });
    const cache = path.join(this.#sandbox.directory, 'npm');
    const where = ['--prefix', this.#prefix, '--cache', cache, '--registry', 'http://127.0.0.1:9'];
    await run('npm', ['install', '--global', file, ...where, '--loglevel=error']);
  }

  async ended(args: readonly string[], cwd = this.#sandbox.root) {
    return finished(this.#spawn(args, cwd));
  }

  /** Runs a command that must succeed. @returns its output. */
  async drover(args: readonly string[], cwd = this.#sandbox.root): Promise<string> {
    const { status, stdout, stderr } = await this.ended(args, cwd);
    if (status !== 0) throw new Error(`drover ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** Waits until a worker is in a state. */
  async until(name: string, status: string): Promise<void> {
    await until(`${name} to be ${status}`, async () => {
      const workers: readonly { name: string; status: string }[] = JSON.parse(await this.drover(['status', '--json']));
      return workers.some((one) => one.name === name && one.status === status) || undefined;
    });
  }

  /** Starts `drover up` on a database of its own; disposing presses Ctrl-C. */
  async up(): Promise<AsyncDisposable> {
    const child = this.#spawn(['up', '--port', '0'], this.#sandbox.root);
    const said = output(child);
    const ended = endOf(child);
    await until('drover up', () => {
      if (child.exitCode !== null) throw new Error(`drover up ended:\n${said()}`);
      return said().includes('Drover is up') || undefined;
    }).catch(async (error: unknown) => {
      await endProcess(child, 'SIGTERM');
      throw error;
    });
    return {
      [Symbol.asyncDispose]: async () => {
        child.kill('SIGINT');
        await withDeadline(child, ended);
      },
    };
  }

  #spawn(args: readonly string[], cwd: string) {
    const program = path.join(this.#prefix, 'bin/drover');
    return spawn(program, args, { cwd, env: { ...this.#sandbox.env }, stdio: ['ignore', 'pipe', 'pipe'] });
  }
}

/** Packs Drover, and a next version of it that has a migration more. */
async function twoVersions(sandbox: Sandbox): Promise<readonly [first: string, second: string]> {
  const at = path.join(sandbox.directory, 'packages');
  const env = { ...process.env, TMPDIR: sandbox.directory };
  const { stdout } = await run(process.execPath, [path.join(REPOSITORY, 'tools/package/main.ts'), at], { env });
  const [, first = ''] = /^(\S+\.tgz) /u.exec(stdout) ?? [];
  await run('tar', ['-xzf', first, '-C', at]);
  const next = path.join(at, 'package');
  const manifest = path.join(next, 'package.json');
  await writeFile(manifest, JSON.stringify({ ...JSON.parse(await readFile(manifest, 'utf8')), version: '0.1.1' }));
  await writeFile(path.join(next, 'migrations/0002_next.sql'), 'alter table machines add column next_note text;\n');
  const second = path.join(at, 'next.tar');
  await run('tar', ['-cf', second, '-C', at, 'package']);
  return [first, second];
}

/** Names the processes in the panes of all sessions. */
async function agentOf(sandbox: Sandbox): Promise<readonly string[]> {
  const fleets = path.join(sandbox.directory, 'run/fleets');
  const sockets = (await readdir(fleets, { recursive: true })).filter((name) => name.endsWith('.sock'));
  const panes = await Promise.all(
    sockets.map((socket) =>
      run('tmux', ['-S', path.join(fleets, socket), 'list-panes', '-a', '-F', '#{session_name} #{pane_pid}']).catch(
        () => ({ stdout: '' }),
      ),
    ),
  );
  return panes.flatMap(({ stdout }) => stdout.split('\n').filter((line) => line.includes('adam')));
}

async function logOf(sandbox: Sandbox): Promise<string> {
  return readFile(path.join(sandbox.dataDir, 'logs/up.log'), 'utf8');
}
