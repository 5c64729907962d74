/** The contract of a channel (H1 to H3), for every program: a text is taken once and whole, or it is said that it was not. */
import { expect, test } from 'vitest';
import type { ChannelReceipt, ChannelText, SentTo, Channel } from '../../src/channels/channel.ts';
import { deliverBy } from '../../src/channels/deliver.ts';
import { fastClock, TIMES } from '../../src/testing/channels/fast-clock.ts';
import type { Fate, ScriptedPeer } from '../../src/testing/channels/peer.ts';
import { play } from '../../src/testing/channels/play.ts';

/** Texts that a keyboard alters, or a protocol might. */
const TEXTS: readonly string[] = [
  'short',
  'two lines\nand the second',
  '  spaces around  ',
  'tabs\tand\r\nline ends\n',
  '!echo, /compact, @file and # stay as they are',
  'a backslash at the end \\',
  'ünïcödé 漢字 🙂 “quotes” e\u0301 and $HOME `x` "y" \\n \u0000 \u001b[201~',
  '{"jsonrpc":"2.0","id":1}',
  'x'.repeat(64 * 1024),
];

/** Seeds of plays that run side by side: most of a play waits for answers that do not come. */
const SEEDS = [7, 8, 9, 10, 11, 12, 13, 14] as const;
const TEXTS_EACH = 6;

let texts = 0;

/** Delivers one text with a client of its own process. */
export async function deliver(
  channel: Channel,
  text: string,
  {
    mayQueue = false,
    earlier = null,
    textId = `t${(texts += 1)}`,
  }: Partial<ChannelText & { earlier: SentTo | null }> = {},
): Promise<ChannelReceipt> {
  const signal = new AbortController().signal;
  return deliverBy(channel, { textId, text, mayQueue }, { clock: fastClock(TIMES), signal, earlier, note: nothing });
}

/** Fates of a text, and what must be said of it. `taken`: how often the conversation must hold it. */
const FATES: readonly (readonly [Fate, ChannelReceipt['kind'], number])[] = [
  ['answer', 'taken', 1],
  ['refuse', 'closed', 0],
  ['die-after', 'taken', 1],
  ['mute', 'taken', 1],
  ['slow', 'unknown', 0],
  ['lie', 'taken', 1],
];

/** Declares the tests. @param start Starts a program, whose clients have a clock that is `times` as fast as a real one. */
export function channelContract(
  start: (times: number) => Promise<ScriptedPeer>,
  decisions: readonly [string, string],
): void {
  test('given texts of every kind, when they are delivered one after the other, then the conversation holds each once and unaltered', async () => {
    await using peer = await start(1);
    using channel = peer.channel();

    for (const text of TEXTS) expect(await deliver(channel, text)).toMatchObject({ kind: 'taken' });

    expect(peer.taken()).toEqual(TEXTS);
  });

  test('given the same words twice, when both are delivered, then both are taken', async () => {
    await using peer = await start(1);
    using channel = peer.channel();

    for (let times = 0; times < 2; times += 1) expect(await deliver(channel, 'go on')).toMatchObject({ kind: 'taken' });

    expect(peer.taken()).toEqual(['go on', 'go on']);
  });

  test.concurrent.each(FATES)(
    'given a program whose fate is %s, when a text is delivered, then %s is said, and it was taken %i times',
    async (fate, kind, times) => {
      await using peer = await start(TIMES);
      using channel = peer.channel();
      peer.type('what a person typed before');
      peer.fates(fate);

      const receipt = await deliver(channel, 'the text');

      expect(receipt.kind).toBe(kind);
      expect(peer.taken().filter((text) => text === 'the text')).toHaveLength(times);
    },
  );

  test.concurrent('given a program that dies during a turn, when a text was on its way, then it is unknown and not said to be free for another way', async () => {
    await using peer = await start(TIMES);
    using channel = peer.channel();
    peer.type('a long turn');
    peer.begin();
    peer.fates('die-before');

    expect(await deliver(channel, 'later', { mayQueue: true })).toMatchObject({ kind: 'unknown' });
  });

  test('given a turn under way, when a text may not be queued it is refused, and when it may it is queued', async () => {
    await using peer = await start(TIMES);
    using channel = peer.channel();
    peer.type('a long turn');
    peer.begin();

    const refused = await deliver(channel, 'now');
    const queued = await deliver(channel, 'later', { mayQueue: true });

    expect(refused).toEqual({ kind: 'busy' });
    expect(queued.kind).toBe('queued');
    expect(peer.taken()).toEqual(['a long turn', 'later']);
  });

  test('given a program that is away, when a text is to be delivered, then the channel is closed; and when it is back, then it is open', async () => {
    await using peer = await start(TIMES);
    using channel = peer.channel();
    await deliver(channel, 'one');
    await peer.away(true);

    const closed = await deliver(channel, 'two');
    await peer.away(false);
    const taken = await deliver(channel, 'two');

    expect([closed.kind, taken.kind]).toEqual(['closed', 'taken']);
    expect(peer.taken()).toEqual(['one', 'two']);
  });

  test('given an earlier attempt that was taken after all, when the text is delivered again, then it is not sent again', async () => {
    await using peer = await start(1);
    using channel = peer.channel();
    peer.type('before');
    const earlier = await channel.place('t');
    await channel.send(earlier, 'the text');
    using next = peer.channel();

    expect(await deliver(next, 'the text', { textId: 't', earlier })).toMatchObject({ kind: 'taken' });
    expect(peer.taken()).toEqual(['before', 'the text']);
  });

  test('given two conversations that could be the one on the screen, when a text is to be delivered, then nothing is sent', async () => {
    await using peer = await start(1);
    using channel = peer.channel();
    peer.another();

    expect(await deliver(channel, 'whose?')).toMatchObject({ kind: 'closed' });
    expect(peer.taken()).toEqual([]);
  });

  test('given a turn, when it is interrupted, then it ends, and a program at rest is left alone', async () => {
    await using peer = await start(TIMES);
    using channel = peer.channel();
    peer.type('a long turn');
    peer.begin();

    expect(await channel.state()).toMatchObject({ status: 'busy' });
    expect(await channel.interrupt()).toBe(true);
    expect(await channel.interrupt()).toBe(false);
    await expect.poll(() => channel.state()).toMatchObject({ status: 'idle' });
  });

  test('given a permission, when the one on the screen is answered, then by its id; and none that the screen does not show', async () => {
    await using peer = await start(TIMES);
    using channel = peer.channel();
    await deliver(channel, 'begin');
    const [yes, no] = decisions;
    peer.asks({ command: 'rm -rf build' });
    await expect.poll(() => channel.answer({ command: 'rm -rf build', label: yes })).toBe(true);
    peer.asks({ command: 'git push' });

    expect(await channel.answer({ command: 'rm -rf build', label: yes })).toBe(false);
    expect(await channel.answer({ command: 'git push', label: 'Perhaps' })).toBe(false);
    await expect.poll(() => channel.answer({ command: 'git push', label: no })).toBe(true);
    await expect.poll(() => peer.decisions()).toHaveLength(2);
  });

  test.each([
    ['no message', 'not JSON at all'],
    ['an answer that nobody asked for', '{"id":999999,"result":{}}'],
    ['an answer of another form', '{"id":4,"result":{"data":7}}'],
    ['a message that is too long', `"${'x'.repeat(33 * 1_048_576)}"`],
  ])(
    'given a program that sends %s, when a text is to be delivered, then it is disconnected, nothing is doubled, and the next client is served',
    async (_, answer) => {
      await using peer = await start(TIMES);
      using channel = peer.channel();
      peer.type('before');
      peer.garbage(answer);

      const receipt = await deliver(channel, 'the text');
      const before = peer.taken().filter((text) => text === 'the text').length;
      using next = peer.channel();

      expect(receipt.kind === 'taken' ? before : 0).toBe(before);
      expect(await deliver(next, 'another')).toMatchObject({ kind: 'taken' });
    },
  );

  test('given kills at every place, when 48 texts are delivered to eight programs as the policy does it, then each takes its own once, whole and in order', async () => {
    const all = await Promise.all(
      SEEDS.map(async (seed) => {
        await using peer = await start(TIMES);
        const { wanted, ways } = await play(peer, { seed, texts: TEXTS_EACH, bytesMax: 4_096 });
        expect(peer.taken()).toEqual(wanted);
        return ways;
      }),
    );

    for (const way of ['channel', 'typed', 'again'] as const) expect(all.some((ways) => ways[way] > 0)).toBe(true);
  });
}

function nothing(): Promise<void> {
  return Promise.resolve();
}
