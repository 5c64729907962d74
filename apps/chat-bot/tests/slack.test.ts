/** Slack ends each connection after some hours, and says so before: a press meanwhile is not lost. */
import { expect, test } from 'vitest';
import { channelsOf } from '../src/bot.ts';
import { runChannel } from '../src/run-channel.ts';
import { CoordinatorDouble, startSlackPeer, testCard, testNature, waitFor } from '../src/testing/index.ts';

test('given a connection that Slack wants to end, then the next one is open before it ends, and a press counts', async () => {
  await using peer = await startSlackPeer();
  const nature = testNature();
  const coordinator = new CoordinatorDouble(peer.address);
  const [channel] = channelsOf(nature, peer.options);
  if (channel === undefined) throw new Error('no channel');
  const stop = new AbortController();
  const over = runChannel(nature, { channel, coordinator, holder: 'process-1' }, stop.signal);
  coordinator.show(testCard());
  const card = await waitFor('the card', () => peer.seen()[0]);

  await waitFor('a connection', () => peer.connections() === 1);
  peer.refreshConnection();
  await waitFor('the next one', () => peer.connections() === 2);
  peer.dropOldConnection();
  const press = peer.press(card.ref, 'Yes');
  await waitFor('the words', () => press.told());

  expect(coordinator.presses).toHaveLength(1);
  expect(nature.lines).toEqual([]);
  stop.abort();
  await over;
});
