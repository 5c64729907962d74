/** Terminals of workers for people elsewhere: where a pane is, and one-time ids by which a program of a person's connects to it. */
import { z } from 'zod';
import type { Outcome } from '../outcome.ts';
import type { Actor } from '../people.ts';
import { workerRef } from '../texts.ts';

/** Whose terminal. */
export const terminalInput = z.object({ name: workerRef });

/** A terminal that may be opened, once, within half a minute, by the caller's own token. */
export const terminalTicket = z.object({
  worker: z.string(),
  machine: z.string(),
  /** Goes into the header `drover-terminal` of a WebSocket to `/terminal`. */
  ticket: z.string(),
  /** Whether the caller may type. */
  types: z.boolean(),
});
/** A checked `terminalTicket`. */
export type TerminalTicket = z.infer<typeof terminalTicket>;

/** Where a pane is, for who can log in to its machine. */
export const panePlace = z.object({
  worker: z.string(),
  machine: z.string(),
  /** For ssh; null: not set. */
  address: z.string().nullable(),
  /** The socket of its tmux server on that machine, and its session there; null where there is no address. */
  place: z.object({ socket: z.string(), session: z.string() }).nullable(),
});
/** A checked `panePlace`. */
export type PanePlace = z.infer<typeof panePlace>;

/** A part of the fleet's use cases. */
export interface TerminalFleet {
  openTerminal(
    input: z.infer<typeof terminalInput> & { readonly types: boolean },
    by: Actor,
  ): Promise<Outcome<TerminalTicket>>;
  locatePane(input: z.infer<typeof terminalInput>, by: Actor): Promise<Outcome<PanePlace>>;
}
