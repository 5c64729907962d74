/** Tests that `drover init` names the author of agents' commits if git knows none. */
import { expect, test } from 'vitest';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';

test('given a source for which git knows no address, when a root is made, then it says as whom agents commit, with the command that sets it', async () => {
  await using sandbox = await Sandbox.open();
  const email = await sandbox.git('config', 'user.email');
  await sandbox.git('config', '--global', '--unset', 'user.email');

  const before = await sandbox.drover(['init'], { cwd: sandbox.source });
  await sandbox.git('config', 'user.email', email);
  const after = await sandbox.drover(['init'], { cwd: sandbox.source });

  expect(before).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(
      `Note: user.email: git knows none in "${sandbox.source}", so agents commit as "drover@localhost"; run: git -C ${sandbox.source} config user.email you@example.com`,
    ),
  });
  expect(before.stdout).not.toContain('user.name');
  expect(after).toMatchObject({ status: 0, stdout: expect.not.stringContaining('user.email') });
});
