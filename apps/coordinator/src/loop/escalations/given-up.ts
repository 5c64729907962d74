/** Keeps cards and mails that were given up at a place: they are sent again when a person says so. */
import type { PlaceKey } from '@drover/store';
import type { Context } from '../../context/context.ts';

/** Tells people how to send it again. */
export function sendAgain({ channel, address }: PlaceKey): string {
  return `It is not tried again there: once "drover oncall test ${channel}:${address}" arrives, it is sent again`;
}

/** Makes everything that was given up at a place due again, because a test has arrived there. */
export async function reopenPlace({ store }: Context, { channel, address }: PlaceKey): Promise<void> {
  await store.transaction(async (tx) => {
    const place = (await tx.listPlaces()).find((one) => one.channel === channel && one.address === address);
    if (place !== undefined) await tx.savePlace(place);
  });
}
