/** Tests tokens and logins as people use them: made at one root, stored and used elsewhere, revoked. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Sandbox } from '../../../tools/fleet/sandbox.ts';

test('given a token of another person, when they log in, then commands find it for this coordinator alone', async () => {
  await using sandbox = await Sandbox.withRoot();
  const { url } = await sandbox.up();
  const elsewhere = { cwd: sandbox.directory, env: { DROVER_URL: url, DROVER_TOKEN: undefined } };

  const made = await sandbox.drover(['auth', 'token', 'create', 'ann', '--role', 'viewer']);
  expect(daysLeft(/valid until (\S+)\. It is shown/u.exec(made.stderr)?.[1])).toBe(90);
  const edited = await sandbox.drover(['auth', 'token', 'edit', 'ann', '--expires', '30d', '--json']);
  expect(daysLeft((JSON.parse(edited.stdout) as { expiresAt: number }).expiresAt)).toBe(30);
  const secret = made.stdout.trim();
  expect(secret).toMatch(/^drv_[\w-]+$/);
  expect(made.stderr).not.toContain(secret);

  const before = await sandbox.drover(['status'], elsewhere);
  expect(before).toMatchObject({ status: 5, stderr: expect.stringContaining(`drover auth login ${url}`) });
  const wrong = await sandbox.drover(['auth', 'login', url], { ...elsewhere, input: `${secret}x\n` });
  expect(wrong.status).toBe(5);
  const login = await sandbox.drover(['auth', 'login', `${url}/`], { ...elsewhere, input: `${secret}\n` });
  expect(login).toMatchObject({ status: 0, stdout: expect.stringContaining('Logged in') });

  const file = path.join(sandbox.directory, 'home/.config/drover/logins.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ [url]: { token: secret } });
  expect((await sandbox.drover(['status'], elsewhere)).status).toBe(0);
  const nuke = await sandbox.drover(['nuke', 'adam', '--force'], elsewhere);
  expect(nuke).toMatchObject({ status: 5, stderr: expect.stringContaining('needs the role operator') });

  const revoked = await sandbox.drover(['auth', 'token', 'revoke', 'ann']);
  expect(revoked).toMatchObject({ status: 0, stdout: expect.stringContaining('within 5 seconds') });
  expect((await sandbox.drover(['status'], elsewhere)).status).toBe(5);
  expect((await sandbox.drover(['auth', 'logout', url], elsewhere)).status).toBe(0);
  expect((await sandbox.drover(['auth', 'logout', url], elsewhere)).status).toBe(4);
});

test('given mistakes, when tokens are made, taken back or stored, then each is told, and nothing was done', async () => {
  await using sandbox = await Sandbox.withRoot();
  await sandbox.up();
  const { stdout } = await sandbox.drover(['auth', 'token', '--json']);
  const [own] = JSON.parse(stdout) as { name: string }[];

  const said = async (args: readonly string[], input = ''): Promise<string> => {
    const { status, stderr } = await sandbox.drover(args, { input });
    return `${status}: ${stderr}`;
  };
  expect(await said(['auth', 'token', 'create', 'ann'])).toContain('2: drover: The role is missing');
  expect(await said(['auth', 'token', 'create', 'ann', '--role', 'king'])).toContain('"king" is not a role');
  expect(await said(['auth', 'token', 'create', 'ann', '--role', 'viewer', '--expires', '1 month'])).toContain(
    '12h or 30d, or "never"',
  );
  expect(await said(['auth', 'token', 'create', 'a b', '--role', 'viewer'])).toContain('letters, digits');
  expect(await said(['auth', 'token', 'edit', 'nobody', '--expires', '1d'])).toContain('there are: local:');
  expect(await said(['auth', 'token', 'edit', own?.name ?? ''])).toContain('give --expires');
  expect(await said(['auth', 'token', 'revoke', 'nobody'])).toContain('there are: local:');
  expect(await said(['auth', 'token', 'revoke', own?.name ?? ''])).toContain('Nothing was done: repeat with --yes');
  expect(await said(['auth', 'token', 'revoke', own?.name ?? '', '--yes'])).toContain('the last admin token');
  expect(await said(['auth', 'login', 'http://drover.example.com'], 'x')).toContain('in clear text: use https');
  expect(await said(['auth', 'login', 'nonsense'], 'x')).toContain('not the address of a coordinator');
  expect(await said(['auth', 'login', 'https://drover.example.com'], 'two words')).toContain(
    'The input is not a token',
  );
});

/** Counts whole days from now to a time. */
function daysLeft(end: string | number = Number.NaN): number {
  return Math.round((new Date(end).getTime() - Date.now()) / 86_400_000);
}
