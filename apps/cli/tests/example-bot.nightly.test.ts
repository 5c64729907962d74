/** Follows the page of the example bot word by word, with the address that `drover up` printed. */
import { spawn } from 'node:child_process';
import { copyFile, mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { endProcess, output } from '../../../tools/fleet/processes.ts';
import { Sandbox } from '../../../tools/fleet/sandbox.ts';
import { until } from '../../../tools/fleet/wait.ts';

const EXAMPLE = fileURLToPath(new URL('../../../examples/bot/', import.meta.url));

test('given a question of an agent, when the page of the example is followed, then the bot shows it, takes the answer, and the worker gets it', async () => {
  const page = await readFile(path.join(EXAMPLE, 'README.md'), 'utf8');
  const [starting = '', asking = ''] = [...page.matchAll(/^```sh\n(.*?)^```$/gmsu)].map(([, block]) => block);
  const lines = (await readFile(path.join(EXAMPLE, 'bot.mjs'), 'utf8')).trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(60);
  await using sandbox = await Sandbox.withRoot();
  const { url } = await sandbox.up();
  await copyFile(path.join(EXAMPLE, 'bot.mjs'), path.join(sandbox.root, 'bot.mjs'));
  const programs = path.join(sandbox.directory, 'bin');
  await mkdir(programs);
  await symlink(sandbox.program, path.join(programs, 'drover'));
  await symlink(process.execPath, path.join(programs, 'node'));
  const env = { ...sandbox.env, PATH: `${programs}:${sandbox.env['PATH'] ?? ''}` };
  const follow = (block: string) =>
    spawn('sh', ['-euc', block], { cwd: sandbox.root, env, stdio: 'pipe', detached: false });

  expect(starting).toContain('http://127.0.0.1:4680');
  // The last command replaces the shell, so that ending it ends the bot.
  const bot = follow(starting.replace('http://127.0.0.1:4680', url).replace('\nnode ', '\nexec node '));
  try {
    const said = output(bot);
    const others = follow(asking);
    const also = output(others);
    const [, first = ''] = await until('the question', () => /(\w{8} 2)  9090/u.exec(said()) ?? undefined).catch(
      (error: unknown) => {
        throw new Error(`${String(error)}\n${said()}\n${also()}`);
      },
    );
    expect(said()).toMatch(/^adam: .*Which port\?/mu);
    bot.stdin.write('nonsense\n');
    await until('what to type', () => (said().includes('Type the two words') ? true : undefined));
    bot.stdin.write(`${first}\n`);
    await until('the end', () => (said().includes('Drover has taken "9090"') ? true : undefined)).catch(
      (error: unknown) => {
        throw new Error(`${String(error)}\n${said()}`);
      },
    );
    const { stdout } = await sandbox.drover(['escalation', '--all', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ status: 'resolved', resolution: { by: 'my-bot' } }]);
  } finally {
    await endProcess(bot, 'SIGTERM');
  }
});
