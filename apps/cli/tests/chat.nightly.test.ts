/**
 * Answers a question of an agent from a phone: the page for a person who has a Telegram token is followed word by word,
 * with a scripted Telegram in place of the service.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '@drover/base';
import { runBot, systemHttp, systemSocket } from '@drover/chat-bot';
import type { BotOptions } from '@drover/chat-bot';
import { startDiscordPeer, startNtfyPeer, startSlackPeer, startTelegramPeer } from '@drover/chat-bot/testing';
import type { ScriptedPeer } from '@drover/chat-bot/testing';
import { expect, test } from 'vitest';
import { endProcess, output } from '../../../tools/fleet/processes.ts';
import { Sandbox } from '../../../tools/fleet/sandbox.ts';
import { until } from '../../../tools/fleet/wait.ts';

const PAGE = path.resolve(import.meta.dirname, '../../../docs/chat.md');

test('given a Telegram token, when the page is followed word by word, then agents ask in the chat, for a choice and for permission, a press answers each, and the card shows who answered, also in the three other chats, which bots apart serve', async () => {
  const page = await readFile(PAGE, 'utf8');
  const [making = '', section = '', trying = '', asking = '', allowing = ''] = [
    ...page.matchAll(/^( *)```\w+\n(.*?)^\1```$/gmsu),
  ].map(([, , block = '']) => block);
  await using sandbox = await Sandbox.withRoot();
  await using peer = await startTelegramPeer();
  const token = peer.options.telegram?.token ?? '';
  const follow = await shellOf(sandbox);

  // Step 2: the file, and its line in drover.toml. Only the name of the service and of the home directory differ.
  await follow(`mkdir -p ~/.config\n${making}`);
  const home = sandbox.env['HOME'] ?? '';
  await appendFile(path.join(home, '.config/drover-telegram'), `${token}\n`);
  const chat = section.trim().replaceAll(/^ +/gmu, '').replace('/home/ada', home);
  await sandbox.configure(
    `[defaults]\nprofile = "sim"\n${asking}[escalation]\nsteps = [{ after = "0s", notify = ["*"] }]\n[coordinator]\nport = 0\n${chat}\ntelegram_api_url = "${peer.url}"\n`,
  );
  // Step 3.
  expect(page).toContain('Start Drover again: `drover up`');
  const up = await sandbox.up();

  // Steps 4 and 5.
  const [, linking = ''] = /In another terminal: `([^`]*)`/u.exec(page) ?? [];
  const [, sent = ''] = /(\/link \S+)/u.exec(await follow(linking)) ?? [];
  expect(sent).toMatch(/^\/link \w{5}-\w{5}$/u);
  peer.command('link', sent.slice('/link '.length));
  const [, welcome = ''] = /It answers "([^"]*)"/u.exec(page) ?? [];
  await until('the welcome', () => peer.seen().find(({ text }) => text.startsWith(`${welcome}, `)));

  // Commands that the page suggests trying.
  await follow(trying);
  const card = await until('the card', () => peer.seen().find(({ labels }) => labels.includes('9090')));
  peer.press(card.ref, '9090');

  await until('the corrected card', () =>
    peer.seen().find(({ ref, text }) => ref === card.ref && text.includes(' chose "9090". The worker has it.')),
  );
  const { stdout } = await sandbox.drover(['escalation', '--all', '--json']);
  // The agent may have asked again meanwhile: it stops without a commit.
  expect(JSON.parse(stdout).at(-1)).toMatchObject({ status: 'resolved', application: 'applied' });
  peer.command('drover', 'status');
  // The status may also name a repeated question.
  await until('the status', () =>
    peer.seen().find(({ text }) => /^(Nothing waits for you\.|1 wait for you:)/u.test(text)),
  );
  peer.command('drover', 'start adam rm -rf');
  await until('the refusal', () => peer.seen().find(({ text }) => text.includes('this bot allows at most responder')));
  // A separate bot, for another chat: each question is in both, and an answer in one is shown in the other.
  await using ntfy = await startNtfyPeer();
  const [, creating = ''] = /^`(drover auth token create bot [^`]*)`/mu.exec(page) ?? [];
  const secret = (await follow(creating.replace('telegram', 'ntfy'))).trim().split('\n').at(-1) ?? '';
  await using bot = botApart(sandbox, { url: up.url, secret, ntfy });
  await until('the bot', () => (bot.said().includes('The bot serves ntfy') ? true : undefined));
  ntfy.command('link', /\/link (\S+)/u.exec(await follow(linking))?.[1] ?? '');
  await until('the welcome there', () => ntfy.answers().find((words) => words.startsWith(`${welcome}, `)));
  // Another bot, for the two other services: each question is in all four, and an answer counts in any of them.
  const others = [await startSlackPeer(), await startDiscordPeer()];
  await using _ = await botOf(sandbox, up.url, others);
  for (const other of others) {
    await until(`the bot in ${other.name}`, () => other.isHeard());
    other.command('link', /\/link (\S+)/u.exec(await follow(linking))?.[1] ?? '');
    await until(`the welcome of ${other.name}`, () =>
      [...other.answers(), ...other.seen().map(({ text }) => text)].find((words) => words.startsWith(`${welcome}, `)),
    );
  }
  await follow(allowing);
  const permission = await until('the question of bea', () => peer.seen().find(({ text }) => text.includes(' bea (')));
  expect(permission).toMatchObject({
    text: expect.stringContaining('asks for permission: Bash ls'),
    labels: expect.arrayContaining(['Yes', 'No']),
  });
  peer.press(permission.ref, 'Yes');
  await until('the permission', () =>
    peer.seen().find(({ ref, text }) => ref === permission.ref && text.includes(' chose "Yes". The worker has it.')),
  );
  await until('the permission there', () => ntfy.seen().find(({ text }) => text.includes(' chose "Yes". The worker')));
  const END = 'End the task; uncommitted work is saved';
  const next = await until('the next question of bea', () =>
    ntfy.seen().find(({ text, labels }) => text.includes(' bea (') && labels.includes(END)),
  );
  ntfy.press(next.ref, END);
  await until('its end in Telegram', () => peer.seen().find(({ text }) => text.includes(` chose "${END}".`)));
  for (const [at, other] of others.entries()) {
    await until(`the permission in ${other.name}`, () =>
      other.seen().find(({ text }) => text.includes(' chose "Yes". The worker has it.')),
    );
    const [port, worker] = [`${7_000 + at}`, `of-${other.name}`];
    await follow(`drover add ${worker}`);
    await sandbox.until(worker, 'idle');
    await follow(`drover start --worker ${worker} --prompt 'ASK Which port? | 6000 | ${port}'`);
    const asked = await until(`the card of ${other.name}`, () =>
      other.seen().find(({ labels }) => labels.includes(port)),
    );
    other.press(asked.ref, port);
    for (const one of [peer, ntfy, ...others])
      await until(`what was chosen in ${other.name}, in ${one.name}`, () =>
        one.seen().find(({ text }) => text.includes(` chose "${port}". The worker has it.`)),
      );
  }
  expect(bot.said()).not.toContain(secret);
  expect(up.said()).not.toContain(token);
  expect(await sandbox.drover(['logs', '--json'])).not.toMatchObject({ stdout: expect.stringContaining(token) });
});

/** Starts a bot of other services, as `drover server bot` runs it: no setting gives the addresses of these two. */
async function botOf(sandbox: Sandbox, url: string, peers: readonly ScriptedPeer[]): Promise<AsyncDisposable> {
  const channels = peers.map(({ name }) => name).join(',');
  const made = await sandbox.drover(['auth', 'token', 'create', 'more', '--role', 'responder', '--channels', channels]);
  const stop = new AbortController();
  const nature = { clock: systemClock, log: () => {}, http: systemHttp, socket: systemSocket, random: Math.random };
  const options = Object.assign(
    { url, token: made.stdout.trim(), holder: randomUUID() },
    ...peers.map((peer) => peer.options),
  );
  const over = runBot(nature, options as BotOptions, stop.signal);
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await over;
      for (const peer of peers) await peer[Symbol.asyncDispose]();
    },
  };
}

/** Starts `drover server bot` without a root: its environment holds everything. */
function botApart(sandbox: Sandbox, { url, secret, ntfy }: { url: string; secret: string; ntfy: ScriptedPeer }) {
  const { topic = '', token = '', url: server = '' } = ntfy.options.ntfy ?? {};
  const env = {
    ...sandbox.env,
    DROVER_DATA_DIR: path.join(sandbox.directory, 'bot'),
    DROVER_URL: url,
    DROVER_TOKEN: secret,
    DROVER_CHAT_NTFY_URL: server,
    DROVER_NTFY_TOPIC: topic,
    DROVER_NTFY_TOKEN: token,
  };
  const child = spawn(sandbox.program, ['server', 'bot'], {
    cwd: sandbox.env['HOME'],
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = output(child);
  return { said, [Symbol.asyncDispose]: async () => void (await endProcess(child, 'SIGTERM')) };
}

/** Makes a shell with `drover` on the path, as after the installation. @returns a function that runs a block of the page and returns its output. */
async function shellOf(sandbox: Sandbox): Promise<(block: string) => Promise<string>> {
  const programs = path.join(sandbox.directory, 'bin');
  await mkdir(programs);
  await symlink(sandbox.program, path.join(programs, 'drover'));
  // Set like a login sets it.
  const env = { ...sandbox.env, USER: 'ada', PATH: `${programs}:${sandbox.env['PATH'] ?? ''}` };
  return async (block) => {
    const shell = spawn('sh', ['-euc', block], { cwd: sandbox.root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = output(shell);
    const status = await new Promise<number | null>((resolve) => void shell.once('close', resolve));
    if (status !== 0) throw new Error(`${block}: ${said()}`);
    return said();
  };
}
