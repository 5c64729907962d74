/** A bot at work on one scripted service, with the coordinator's double. */
import { channelsOf } from '../src/bot.ts';
import { runChannel } from '../src/run-channel.ts';
import {
  CoordinatorDouble,
  startDiscordPeer,
  startNtfyPeer,
  startSlackPeer,
  startTelegramPeer,
  testCard,
  testNature,
  waitFor,
} from '../src/testing/index.ts';
import type { Press, ScriptedPeer, Seen } from '../src/testing/index.ts';

/** The service of each channel. */
export const PEERS: readonly (readonly [string, () => Promise<ScriptedPeer>])[] = [
  ['telegram', startTelegramPeer],
  ['slack', startSlackPeer],
  ['discord', startDiscordPeer],
  ['ntfy', startNtfyPeer],
];

/** Actions and observations of tests. */
export interface AtWork<Peer extends ScriptedPeer> extends AsyncDisposable {
  readonly peer: Peer;
  readonly nature: ReturnType<typeof testNature>;
  readonly coordinator: CoordinatorDouble;
  /** Resolves when the channel has ended by itself. */
  readonly over: Promise<void>;
  /** Resolves when the question's card is shown and reported, and the bot hears presses. */
  readonly shown: (patch?: Parameters<typeof testCard>[0]) => Promise<Seen>;
  /** Returns the present text of the card of this reference. */
  readonly textOf: (ref: string) => string;
}

/** Starts a bot. */
export async function atWork<Peer extends ScriptedPeer>(
  start: () => Promise<Peer>,
  options: (peer: Peer) => ScriptedPeer['options'] = (peer) => peer.options,
): Promise<AtWork<Peer>> {
  const stack = new AsyncDisposableStack();
  const peer = stack.use(await start());
  const nature = testNature();
  const coordinator = new CoordinatorDouble(peer.address);
  const [channel] = channelsOf(nature, options(peer));
  if (channel === undefined) throw new Error('no channel');
  const stop = new AbortController();
  const over = runChannel(nature, { channel, coordinator, holder: 'process-1' }, stop.signal);
  stack.defer(async () => {
    stop.abort();
    await over;
  });
  return {
    peer,
    nature,
    coordinator,
    over,
    shown: async (patch = {}) => {
      coordinator.show(testCard(patch));
      const card = await waitFor('a card', () => peer.seen().at(-1));
      await waitFor('its report', () => coordinator.reports.some(({ kind }) => kind === 'shown'));
      await waitFor('the bot that listens', () => peer.isHeard());
      return card;
    },
    textOf: (ref) => peer.seen().find((one) => one.ref === ref)?.text ?? '',
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Waits until a press is stored, and answered if the service can. X1: a press is stored before it is answered. */
export async function heard({ peer, coordinator }: AtWork<ScriptedPeer>, press: Press): Promise<void> {
  if (!peer.traits.tells) return void (await waitFor('the press', () => coordinator.presses.length > 0));
  await waitFor('the words', () => press.told());
  if (coordinator.presses.length === 0) throw new Error('It was told before it was stored');
}
