/** Terminals of workers for remote people: places of panes, and one-time ids by which a person's program connects to a pane. */
import { z } from 'zod';
import type { Outcome } from '../outcome.ts';
import type { Actor } from '../people.ts';
import { workerRef } from '../texts.ts';

export const terminalInput = z.object({ name: workerRef });

/** A terminal that may be opened, once, within half a minute, by the caller's own token. */
export const terminalTicket = z.object({
  worker: z.string(),
  machine: z.string(),
  /** Value of the header `drover-terminal` of a WebSocket to `/terminal`. */
  ticket: z.string(),
  /** True if the caller may type. */
  types: z.boolean(),
});
export type TerminalTicket = z.infer<typeof terminalTicket>;

/** The place of a pane, for people who can log in to its machine. */
export const panePlace = z.object({
  worker: z.string(),
  machine: z.string(),
  /** The address for ssh; null: not set. */
  address: z.string().nullable(),
  /** The socket of the worker's tmux server on that machine, and the session there; null if there is no address. */
  place: z.object({ socket: z.string(), session: z.string() }).nullable(),
});
export type PanePlace = z.infer<typeof panePlace>;

export interface TerminalFleet {
  openTerminal(
    input: z.infer<typeof terminalInput> & { readonly types: boolean },
    by: Actor,
  ): Promise<Outcome<TerminalTicket>>;
  locatePane(input: z.infer<typeof terminalInput>, by: Actor): Promise<Outcome<PanePlace>>;
}
