/**
 * Tests that the main job ends without a process between two requests. Every request has a process of its own, over
 * HTTP alone, behind PgBouncer in transaction mode; a scheduler ticks once a second.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { openTestDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { hasPgBouncer, startPgBouncer } from '../support/functions/pgbouncer.ts';
import { Runtime } from '../support/functions/runtime.ts';
import { endProcess, output } from '../../../../tools/fleet/processes.ts';
import { BUILD, DROVER } from '../../../../tools/fleet/program.ts';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';

const TEST_MS = 600_000;
/** Milliseconds for each step, on a loaded machine. */
const STEP_MS = 180_000;
/** Milliseconds between two polls: each poll starts a process, which takes a third of a second of a processor. */
const ASK_EVERY_MS = 1_500;

const isThere = hasPgBouncer();
const mark = isThere ? '' : 'NOT RUN, pgbouncer is missing ("apt-get install pgbouncer"): ';

test.skipIf(!isThere)(
  `${mark}given functions that live for one request, behind PgBouncer, when a task is given, reviewed and accepted, then main has it`,
  { timeout: TEST_MS },
  async () => {
    await using stack = new AsyncDisposableStack();
    const sandbox = stack.use(await Sandbox.withRoot());
    const { connectionString } = stack.use(await openTestDatabase());
    const pooler = stack.use(await startPgBouncer(connectionString, path.join(sandbox.directory, 'pooler')));
    const tickSecret = randomBytes(24).toString('base64url');
    const database = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: connectionString };

    const migrated = await sandbox.drover(['server', 'migrate', '--admin', 'ada', '--json'], { env: database });
    expect(migrated).toMatchObject({ status: 0, stderr: '' });
    const { token } = JSON.parse(migrated.stdout) as { token: { secret: string } };
    const runtime = stack.use(
      await Runtime.start({
        build: path.join(BUILD, 'functions.js'),
        cwd: sandbox.root,
        env: { ...sandbox.env, ...database, DROVER_TICK_SECRET: tickSecret },
        tickSecret,
      }),
    );
    const person = { DROVER_URL: runtime.url, DROVER_TOKEN: token.secret };
    const drover = async (...args: readonly string[]): Promise<string> => {
      const { status, stdout, stderr } = await sandbox.drover(args, { env: person });
      if (status !== 0) throw new Error(`drover ${args.join(' ')}: ${stderr}\n${runtime.problems.join('\n')}`);
      return stdout;
    };
    const { token: join } = JSON.parse(await drover('machine', 'invite', '--json')) as { token: string };
    const agent = spawn(DROVER, ['server', 'agent', '--url', runtime.url, '--join', join], {
      cwd: sandbox.root,
      env: { ...sandbox.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    stack.defer(async () => void (await endProcess(agent, 'SIGTERM')));
    const said = output(agent);
    const reach = async (where: string, what: RegExp): Promise<void> => {
      const headers = { authorization: `Bearer ${person.DROVER_TOKEN}` };
      const end = performance.now() + STEP_MS;
      for (;;) {
        const last = await (await fetch(`${runtime.url}${where}`, { headers })).text();
        if (what.test(last)) return;
        if (performance.now() > end)
          throw new Error([`In vain for ${String(what)}`, last, ...runtime.problems, said()].join('\n'));
        await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
      }
    };

    await reach('/v1/machines', /"state":"connected"/u);
    await drover('add', 'adam');
    await reach('/v1/workers', /"status":"idle"/u);
    await drover('start', '--worker', 'adam', '--prompt', 'Do it.\nWRITE b.txt two\nCOMMIT second');
    await reach('/v1/workers', /"status":"needs_review"/u);
    expect(await drover('review', 'adam')).toContain('b.txt');
    await drover('accept', 'adam', '--no-wait');
    await reach('/v1/workers', /"status":"idle"/u);

    expect(await sandbox.git('show', 'main:b.txt')).toBe('two');
    expect(runtime.problems).toEqual([]);
    expect(runtime.started).toBeGreaterThan(10);
  },
);
