/** Binds the use cases of bots to a context. */
import type { ChannelFleet } from '@drover/api';
import type { Waiters } from '../../context/waiters.ts';
import type { Context } from '../../context/context.ts';
import { chatCommand } from './commands.ts';
import type { CommandFleet } from './commands.ts';
import { linkIdentity, moveChat } from './link.ts';
import { press } from './press.ts';
import type { PressFleet } from './press.ts';
import { channelWork, reportDelivery } from './work.ts';

/** Dependencies of these use cases beside their context. */
export interface ChannelParts {
  readonly events: Waiters;
  /** Use cases that people of chats ask. */
  readonly fleet: PressFleet & CommandFleet;
}

export function createChannelFleet(ctx: Context, { events, fleet }: ChannelParts): ChannelFleet {
  return {
    channelWork: (call, asked, signal) => channelWork(ctx, call, { ...asked, events, signal }),
    releaseChannel: ({ channel }, holder) => ctx.store.releaseChannel(channel, holder),
    reportDelivery: (call, escalation, report) => reportDelivery(ctx, call, { escalation, report }),
    press: (call, request) => press(ctx, fleet, { call, request }),
    linkIdentity: (call, link) => linkIdentity(ctx, call, link),
    moveChat: (call, move) => moveChat(ctx, call, move),
    chatCommand: (call, command) => chatCommand(ctx, fleet, { call, command }),
  };
}
