/** Tests that each worker has a port of its own and a place that is set up, with everything real: `drover up`, tmux, git and the simulated agent. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { paneOf } from '../support/pane.ts';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';

test.skipIf(process.platform !== 'linux')(
  'given a set-up that fails at first, when a person has it tried again, then workers start with ports of their own, and lock files that change set their places up again',
  async () => {
    await using sandbox = await Sandbox.withRoot();
    const allowed = path.join(sandbox.directory, 'allowed');
    const script = `test -e '${allowed}' || { echo no such host; exit 7; }; echo "ready at $PORT"`;
    await sandbox.configure(
      '[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\n',
      [
        'validate = [["sh", "-c", "test \\"$NAME\\" = demo-drover-bea"]]',
        '[repo.worker]',
        `setup = [["sh", "-c", ${JSON.stringify(script)}]]`,
        'env = { PORT = "{{3000 + index * 10}}", NAME = "{{project}}-{{worker}}" }\n',
      ].join('\n'),
    );
    await sandbox.up();

    await sandbox.drover(['add', 'adam']);
    await sandbox.until('adam', 'error');
    const why = await sandbox.done('why', 'adam', '--all');
    const attach = await sandbox.drover(['attach', 'adam', '--json']);
    await writeFile(allowed, '');
    const [, id = ''] = /drover answer (\S+) --option retry/u.exec(why) ?? [];
    await sandbox.done('answer', id, '--option', 'retry');
    await sandbox.until('adam', 'idle');
    await sandbox.done('add', 'bea', '--wait');
    const [adam, bea] = [await paneOf(sandbox, 'adam'), await paneOf(sandbox, 'bea')];
    const shown = await sandbox.done('worker', 'show', 'bea');

    expect(why).toMatch(/SETUP_FAILED .*\[repo\.worker\] setup in drover\.toml failed with exit status 7/u);
    expect(why).toContain('no such host');
    expect(why).toContain('--option without-set-up');
    expect(attach.status).not.toBe(0);
    expect([adam.env['PORT'], bea.env['PORT'], bea.env['NAME']]).toEqual(['3000', '3010', 'demo-drover-bea']);
    expect(shown).toContain('Its index is 1');
    expect(shown).toContain('NAME=demo-drover-bea, PORT=3010');
    expect(shown).toContain('Its worktree was set up (repo.worker.setup)');

    await writeFile(path.join(sandbox.source, 'package-lock.json'), '{}\n');
    await sandbox.git('add', '.');
    await sandbox.git('commit', '--quiet', '--message', 'second');
    await sandbox.done('start', '--worker', 'bea', '--prompt', 'WRITE b.md one\nCOMMIT Add b');
    await sandbox.until('bea', 'needs_review');
    const logs = await sandbox.done('logs', 'bea', '-n', '200');
    await sandbox.done('nuke', 'adam');
    await sandbox.done('add', 'cleo', '--wait');
    const cleo = await paneOf(sandbox, 'cleo');

    // The set-up runs once for the new place, once for its task.
    expect(logs.match(/ready at 3010/gu)).toHaveLength(2);
    expect(cleo.env['PORT']).toBe('3000');
  },
);
