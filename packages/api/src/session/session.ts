/** Signed-in browsers: what clients send and see, and the use case. */
import { z } from 'zod';
import type { Actor } from '../people.ts';

/** Proof by which a browser signs in: a ticket that `drover open` has got, or a token that a person pastes. */
export const signInInput = z.union([
  z.strictObject({ ticket: z.string().min(1).max(200) }),
  z.strictObject({ token: z.string().trim().min(1).max(300) }),
]);

export type SignInInput = z.infer<typeof signInInput>;

/** The person of a browser. */
export const sessionView = z.object({
  name: z.string(),
  role: z.enum(['worker', 'viewer', 'responder', 'operator', 'admin']),
  /** The id of the only project that the token reaches; null: all. */
  project: z.string().nullable(),
  /** Version of Drover. */
  version: z.string(),
});

export type SessionView = z.infer<typeof sessionView>;

/** The use case of signed-in browsers. */
export interface SessionFleet {
  /** Makes a ticket that signs one browser in as this caller, within half a minute. */
  signInTicket(by: Actor): { readonly ticket: string; readonly expiresAt: number };
}
