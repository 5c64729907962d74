/** Cards and mails that were given up at a place: they are kept, and go once more when a person says so. */
import type { PlaceKey } from '@drover/store';
import type { Context } from '../../context/context.ts';

/** Tells people how to send it again. */
export function sendAgain({ channel, address }: PlaceKey): string {
  return `It is not tried again there: once "drover oncall test ${channel}:${address}" arrives, it is sent again`;
}

/** A test has arrived at a place: what was given up there is due again. */
export async function reopenPlace({ store }: Context, { channel, address }: PlaceKey): Promise<void> {
  await store.transaction(async (tx) => {
    const place = (await tx.listPlaces()).find((one) => one.channel === channel && one.address === address);
    if (place !== undefined) await tx.savePlace(place);
  });
}
