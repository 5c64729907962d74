/** Lists chats in which people are asked, and whether a bot serves each. */
import type { ChatView } from '@drover/api';
import { CHANNELS } from '@drover/protocol';
import type { Context } from '../../context/context.ts';

/** Milliseconds after which an absent bot is missed: longer than a restart takes. */
const MISSED_AFTER_MS = 120_000;

/** Lists channels in which people are asked, and which no bot has served for two minutes. */
export async function unservedChats(ctx: Pick<Context, 'store' | 'clock'>): Promise<readonly ChatView[]> {
  const now = ctx.clock.now();
  const [places, leases] = await Promise.all([ctx.store.listPlaces(), ctx.store.listChannelLeases()]);
  return CHANNELS.flatMap((channel): readonly ChatView[] => {
    const ofChannel = places.filter((place) => place.channel === channel);
    const held = leases.find((lease) => lease.channel === channel)?.heldUntil;
    const since = held ?? Math.min(...ofChannel.map(({ createdAt }) => createdAt));
    if (ofChannel.length === 0 || now - since < MISSED_AFTER_MS) return [];
    return [{ channel, places: ofChannel.length, servedUntil: held ?? null }];
  });
}
