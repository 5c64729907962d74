/** Tests that a worker in a cage works with the whole of Drover around it. Real processes, real bubblewrap. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';

const probe = spawnSync('bwrap', ['--unshare-user', '--unshare-pid', '--ro-bind', '/', '/', 'true']);
const notRun = probe.status === 0 ? '' : ' (not run: bubblewrap does not work here)';

test.skipIf(notRun !== '')(
  `given an isolated worker${notRun}, when it works and looks at itself, then its work is merged, and it reached nothing else`,
  async () => {
    await using sandbox = await Sandbox.withRoot({ caged: true });
    await sandbox.configure(
      '[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\n[profiles.sim]\nisolation = "bubblewrap"\n',
    );
    await sandbox.up();
    await sandbox.drover(['add', 'adam', '--wait']);
    const { program, dataDir, root } = sandbox;
    const script = [
      `"${program}" status --json > status.json 2>&1`,
      `env -i PATH="$PATH" DROVER_ROOT=${root} DROVER_DATA_DIR=${dataDir} "${program}" accept adam > accept.txt 2>&1`,
      `cat ${dataDir}/endpoint.json > endpoint.txt 2>&1`,
    ].join('; ');
    const prompt = `RUN ${script}; true\nWRITE b.txt two\nCOMMIT add b`;
    await sandbox.drover(['start', '--worker', 'adam', '--prompt', prompt]);
    await sandbox.until('adam', 'needs_review');
    const worktree = path.join(root, '.worktrees', 'adam');
    const read = (name: string): Promise<string> => readFile(path.join(worktree, name), 'utf8');
    const [status, refusal, endpoint] = [
      await read('status.json'),
      await read('accept.txt'),
      await read('endpoint.txt'),
    ];
    const doctor = await sandbox.drover(['doctor', '--json']);
    await sandbox.drover(['review', 'adam']);
    const accepted = await sandbox.drover(['accept', 'adam']);
    await sandbox.until('adam', 'idle');

    expect(JSON.parse(status)).toMatchObject([{ name: 'adam' }]);
    expect(refusal).toContain('refused in the pane of the worker "adam"');
    expect(endpoint).toMatch(/No such file/);
    expect(doctor.stdout).toContain('bubblewrap');
    expect(accepted).toMatchObject({ status: 0 });
    expect(await sandbox.git('show', 'main:b.txt')).toBe('two');
  },
);
