/** What only one of the services does, and what the bot makes of it. No press is lost by it: X1. */
import { expect, test } from 'vitest';
import { startDiscordPeer, startSlackPeer, startTelegramPeer, waitFor } from '../src/testing/index.ts';
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
