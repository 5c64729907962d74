/** Binds the use cases of being on call to a context. */
import type { OncallFleet } from '@drover/api';
import type { Context } from '../../context/context.ts';
import { unservedChats } from '../../facts/people/chats.ts';
import { showOncall } from './show.ts';
import { beginSilence, editSilence, endSilence } from './silences.ts';
import { testOncall } from './try.ts';

export function createOncallFleet(ctx: Context): OncallFleet {
  return {
    showOncall: (by) => showOncall(ctx, by),
    silence: (input, by) => beginSilence(ctx, input, by),
    editSilence: (input, by) => editSilence(ctx, input, by),
    unsilence: ({ id }, by) => endSilence(ctx, id, by),
    unservedChats: () => unservedChats(ctx),
    testOncall: ({ place }, by) => testOncall(ctx, { place, by }),
  };
}
