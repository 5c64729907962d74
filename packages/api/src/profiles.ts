/** Agent profiles: what clients send and see, and the use cases. */
import { shownName } from '@drover/protocol';
import { z } from 'zod';
import type { Outcome } from './outcome.ts';
import type { Actor } from './people.ts';

/** A profile document as read from a file; the coordinator checks it. */
export const putProfileInput = z.object({ document: z.unknown() });

/** The name of a profile that is removed. */
export const removeProfileInput = z.object({ name: shownName('a profile') });

/** An agent profile that may be chosen. `build`: the profile comes with Drover; `fleet`: a person added it, and it reaches every machine. */
export const profileView = z.object({
  name: z.string(),
  origin: z.enum(['build', 'fleet']),
  revision: z.number().int(),
});

export type ProfileView = z.infer<typeof profileView>;

/** The use cases of agent profiles. */
export interface ProfileFleet {
  listProfiles(): Promise<readonly ProfileView[]>;
  putProfile(input: z.infer<typeof putProfileInput>, by: Actor): Promise<Outcome<ProfileView>>;
  removeProfile(input: z.infer<typeof removeProfileInput>, by: Actor): Promise<Outcome<ProfileView>>;
}
