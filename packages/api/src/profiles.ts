/** Agent profiles: what clients send and see, and the use cases. */
import { shownName } from '@drover/protocol';
import { z } from 'zod';
import type { Outcome } from './outcome.ts';
import type { Actor } from './people.ts';
import { label } from './texts.ts';

/** A profile document as read from a file; the coordinator checks it. `label`: only machines with that label get it, until it is adopted. */
export const putProfileInput = z.object({ document: z.unknown(), label: label.optional() });

/** The name of a profile that is removed, or that goes back. */
export const profileInput = z.object({ name: shownName('a profile') });

/** Gives a staged profile to machines with another label, or without a label to the whole fleet. */
export const adoptProfileInput = profileInput.extend({ label: label.optional() });

/** An agent profile that may be chosen. `build`: the profile comes with Drover; `fleet`: a person added it, and it reaches every machine. */
export const profileView = z.object({
  name: z.string(),
  origin: z.enum(['build', 'fleet']),
  revision: z.number().int(),
  /** Change that only machines with the label have so far, and how many they are; null: there is none. */
  staged: z.object({ label: z.string(), machines: z.int() }).nullable(),
  canRollBack: z.boolean(),
});

export type ProfileView = z.infer<typeof profileView>;

/** The use cases of agent profiles. */
export interface ProfileFleet {
  listProfiles(): Promise<readonly ProfileView[]>;
  putProfile(input: z.infer<typeof putProfileInput>, by: Actor): Promise<Outcome<ProfileView>>;
  removeProfile(input: z.infer<typeof profileInput>, by: Actor): Promise<Outcome<ProfileView>>;
  /** Refuses with `not-staged`. */
  adoptProfile(input: z.infer<typeof adoptProfileInput>, by: Actor): Promise<Outcome<ProfileView>>;
  /** Takes a staged change back, or else the last change of the whole fleet. Refuses with `no-way-back`. */
  rollBackProfile(input: z.infer<typeof profileInput>, by: Actor): Promise<Outcome<ProfileView>>;
}
