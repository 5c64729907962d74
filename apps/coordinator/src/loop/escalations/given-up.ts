/** Keeps cards and mails that were given up at a place: they are sent again when a person says so. */
import type { PlaceKey } from '@drover/store';
import type { Context } from '../../context/context.ts';

/** Tells people how to send it again. */
export function sendAgain({ channel, address }: PlaceKey): string {
  return `Drover does not retry there until a test arrives: run "drover oncall test ${channel}:${address}"`;
}

/** Makes everything that was given up at a place due again, because a test has arrived there. */
export async function reopenPlace({ store }: Context, { channel, address }: PlaceKey): Promise<void> {
  await store.transaction(async (tx) => {
    const place = (await tx.listPlaces()).find((one) => one.channel === channel && one.address === address);
    if (place !== undefined) await tx.savePlace(place);
  });
}
