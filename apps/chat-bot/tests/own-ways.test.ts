/** What only one of the services does, and what the bot makes of it. No press is lost by it: X1. */
import { expect, test } from 'vitest';
import { ntfyChannel } from '../src/channels/ntfy/ntfy.ts';
import {
  startDiscordPeer,
  startSlackPeer,
  startTelegramPeer,
  testCard,
  testNature,
  waitFor,
} from '../src/testing/index.ts';
import { atWork } from './at-work.ts';

test('X1: given a connection that Slack wants to end, then the next one is open before it ends, and a press counts', async () => {
  await using bot = await atWork(startSlackPeer);
  const { peer, coordinator, nature } = bot;
  const card = await bot.shown();
  await waitFor('a connection', () => peer.connections() === 1);

  peer.refreshConnection();
  await waitFor('the next one', () => peer.connections() === 2);
  peer.dropOldConnection();
  const press = peer.press(card.ref, 'Yes');
  await waitFor('the words', () => press.told());

  expect(coordinator.presses).toHaveLength(1);
  expect(nature.lines).toEqual([]);
});

test('X1: given another program that polls Telegram with the same token, then the log says so once, and what was pressed meanwhile counts when that ends', async () => {
  await using bot = await atWork(startTelegramPeer);
  const { peer, coordinator, nature } = bot;
  const card = await bot.shown();

  const rival = peer.rival();
  await waitFor('the warning', () => nature.lines.length > 0);
  const press = peer.press(card.ref, 'Yes');
  rival.end();
  await waitFor('the words', () => press.told());

  expect(coordinator.presses).toHaveLength(1);
  expect(nature.lines.filter((line) => line.includes('another program polls with this token'))).toHaveLength(1);
});

test('X1: given a connection to Discord that is half open, when somebody presses, then the bot notices, goes on with its session, and the press counts', async () => {
  await using bot = await atWork(startDiscordPeer);
  const { peer, coordinator } = bot;
  const card = await bot.shown();

  peer.fallSilent();
  const press = peer.press(card.ref, 'Yes');
  await waitFor('the words', () => press.told());

  expect(coordinator.presses).toHaveLength(1);
});

test('given a link beside a card, when ntfy shows it, then a touch opens it, and it has a button as soon as an answer has none', async () => {
  const sent: unknown[] = [];
  const nature = {
    ...testNature(),
    http: (_url: string, { body }: { readonly body?: string | Uint8Array }) => {
      sent.push(JSON.parse(String(body)));
      return Promise.resolve({ status: 200, text: '', headers: new Headers() });
    },
  };
  const channel = ntfyChannel(nature, { url: 'http://ntfy', topic: 'mine' });
  const link = 'https://drover.example.com/v1/actions?token=x';
  const show = (options: readonly string[], patch: object) => {
    const card = testCard({
      status: 'acked',
      options: options.map((label) => ({ label, needsText: label === 'words' })),
    });
    const delivery = { address: 'mine', ref: null, ping: true, pings: 1, card, ...patch };
    return channel.show(delivery, new AbortController().signal);
  };

  await show(['a', 'b'], {});
  await show(['a', 'b'], { link });
  await show(['a', 'b', 'c', 'd'], { link });
  await show(['a', 'words'], { link });

  const shown = sent as { readonly click?: string; readonly actions: readonly { label: string; url: string }[] }[];
  expect(shown.map(({ click, actions }) => [click, actions.map(({ label }) => label)])).toEqual([
    [undefined, ['a', 'b']],
    [link, ['a', 'b', 'All answers']],
    [link, ['a', 'b', 'All answers']],
    [link, ['a', 'All answers']],
  ]);
  expect(shown[3]?.actions[1]?.url).toBe(link);
});
