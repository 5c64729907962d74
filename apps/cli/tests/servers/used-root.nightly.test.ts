/** Tests `drover down` on a root in use: work waits for review, questions are open, an agent is at work. */
import { expect, test } from 'vitest';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';

const TASKS = {
  ada: { prompt: 'WRITE ada.txt done\nCOMMIT the work of ada', status: 'needs_review' },
  bea: { prompt: 'WRITE bea.txt done\nCOMMIT the work of bea', status: 'needs_review' },
  cal: { prompt: 'ASKTEXT What now?', status: 'needs_input' },
  dan: { prompt: 'ASKTEXT And now?', status: 'needs_input' },
  eve: { prompt: 'WAITFILE go', status: 'working' },
} as const;

test('given workers in each state, when Drover goes down and comes up again, then down ends well, and each worker is as it was', async () => {
  await using sandbox = await Sandbox.withRoot();
  const { databaseUrl, pid } = await sandbox.up();
  await Promise.all([...Object.keys(TASKS), 'fay'].map((name) => sandbox.done('add', name, '--wait')));
  for (const [name, { prompt }] of Object.entries(TASKS))
    await sandbox.done('start', '--worker', name, '--prompt', prompt);
  for (const [name, { status }] of Object.entries(TASKS)) await sandbox.until(name, status);

  const down = await sandbox.drover(['down']);

  expect(down).toMatchObject({ status: 0, stdout: expect.stringContaining('Drover is down') });
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  await sandbox.up([], { env: { DATABASE_URL: databaseUrl } });
  for (const [name, { status }] of Object.entries({ ...TASKS, fay: { status: 'idle' } }))
    await sandbox.until(name, status);
  expect(await sandbox.done('review', 'ada')).toContain('ada.txt');
  expect(await sandbox.done('escalation')).toMatch(/What now\?|cal/u);
});
