/** Tests that channels start and fail apart from one another. */
import { expect, test } from 'vitest';
import { runBot } from '../src/bot.ts';
import type { Http } from '../src/ports.ts';
import {
  CoordinatorDouble,
  startSlackPeer,
  startTelegramPeer,
  testCard,
  testNature,
  waitFor,
} from '../src/testing/index.ts';

const URL_OF_COORDINATOR = 'http://coordinator.test';

/** Serves the double over HTTP, for one channel; other channels get no work. Each answer comes in a later turn, as over a network. */
function over(double: CoordinatorDouble, name: string, http: Http): Http {
  return async (url, request) => {
    if (!url.startsWith(URL_OF_COORDINATOR)) return http(url, request);
    await new Promise((resolve) => setImmediate(resolve));
    const [, channel, route] = /\/v1\/channels\/(\w+)\/([^/?]+)/u.exec(url) ?? [];
    const body: unknown = JSON.parse(request.body ?? '{}');
    const answer = async (): Promise<unknown> => {
      if (channel !== name) return { kind: 'work', deliveries: [] };
      if (request.method === 'GET') return double.work(0, request.signal ?? new AbortController().signal);
      if (route === 'work') return double.report('', body as Parameters<typeof double.report>[1]);
      return double.press(body as Parameters<typeof double.press>[0]);
    };
    return { status: 200, headers: { get: () => null }, text: JSON.stringify((await answer()) ?? {}) };
  };
}

test('given a wrong token for one of two channels, then the other goes on, the log says what to do, and the first is tried again', async () => {
  await using telegram = await startTelegramPeer();
  await using slack = await startSlackPeer();
  const plain = testNature();
  const double = new CoordinatorDouble(slack.address);
  const nature = { ...plain, http: over(double, 'slack', plain.http) };
  const stop = new AbortController();
  const options = { ...telegram.wrongToken, ...slack.options, retryMs: 1_000 };
  const bot = runBot(nature, { url: URL_OF_COORDINATOR, token: 't', holder: 'process-1', ...options }, stop.signal);

  await waitFor('the second try', () => plain.lines.filter((line) => line.includes('telegram is off')).length > 1);
  double.show(testCard());
  const card = await waitFor('the card', () => slack.seen()[0]);
  await waitFor('the bot that listens', () => slack.isHeard());
  const press = slack.press(card.ref, 'Yes');
  await waitFor('the words', () => press.told());
  stop.abort();
  await bot;

  expect(double.presses).toHaveLength(1);
  expect(plain.lines[0]).toContain('DROVER_TELEGRAM_TOKEN');
});
