/** A question of an agent is answered from a phone: `drover up` with a chat that is configured, and a scripted Telegram. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startTelegramPeer } from '@drover/chat-bot/testing';
import { expect, test } from 'vitest';
import { Sandbox } from './support/sandbox.ts';
import { until } from './support/until.ts';

test('given a Telegram token and a linked person, when an agent asks, then they answer with a press, the agent gets it, and the card shows who answered', async () => {
  await using sandbox = await Sandbox.withRoot();
  await using peer = await startTelegramPeer();
  const token = peer.options.telegram?.token ?? '';
  const file = path.join(sandbox.directory, 'telegram-token');
  await writeFile(file, `${token}\n`, { mode: 0o600 });
  const chat = `[chat]\ntelegram_token_file = "${file}"\ntelegram_api_url = "${peer.url}"\n`;
  await sandbox.configure(`[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\n${chat}`);
  const up = await sandbox.up();

  const linked = await sandbox.drover(['people', 'link', 'ada']);
  const [, code = ''] = /\/link (\S+)/u.exec(linked.stdout) ?? [];
  peer.command('link', code);
  await until('the welcome', () => peer.seen().find(({ text }) => text.startsWith('Welcome, ada')));
  await sandbox.drover(['add', 'adam']);
  await sandbox.until('adam', 'idle');
  await sandbox.drover(['start', '--worker', 'adam', '--prompt', 'ASK Which port? | 8080 | 9090']);
  const card = await until('the card', () => peer.seen().find(({ labels }) => labels.includes('9090')));
  peer.press(card.ref, '9090');

  await until('the corrected card', () =>
    peer.seen().find(({ ref, text }) => ref === card.ref && text.includes('ada chose "9090". The worker has it.')),
  );
  const { stdout } = await sandbox.drover(['escalations', '--all', '--json']);
  // The agent may have asked again meanwhile: it stops without a commit.
  expect(JSON.parse(stdout).at(-1)).toMatchObject({
    status: 'resolved',
    application: 'applied',
    resolution: { by: 'ada' },
  });
  peer.command('drover', 'status');
  await until('the status', () => peer.seen().find(({ text }) => text.startsWith('Nothing waits for you.')));
  peer.command('drover', 'start adam rm -rf');
  await until('the refusal', () => peer.seen().find(({ text }) => text.includes('this bot allows at most responder')));
  expect(up.said()).not.toContain(token);
  expect(await sandbox.drover(['logs', '--json'])).not.toMatchObject({ stdout: expect.stringContaining(token) });
});
