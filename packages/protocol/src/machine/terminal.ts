/**
 * Defines what the two ends of a relayed terminal say to each other. A machine shows the screen of one life of a pane; a person watches, and types
 * if they may. The coordinator between them passes messages on and keeps none.
 */
import { z } from 'zod';
import { line, text, uuid } from '../names.ts';

/** Bytes of one message of a person. */
export const PERSON_MESSAGE_BYTES_MAX = 64 * 1024;
/** Bytes of one message of a machine: a screen of 500 by 200 cells, each with colours of its own, is cut before it is larger. */
export const SCREEN_MESSAGE_BYTES_MAX = 1024 * 1024;
/** Bytes of keys in one message. */
export const KEY_BYTES_MAX = 4_096;
/** Characters of one paste. */
export const PASTE_CHARS_MAX = 16_000;
/** Frames that a person has not seen yet, at most: a machine draws no further ahead, so that nothing piles up on the way. */
export const FRAMES_AHEAD_MAX = 4;
/** Milliseconds between two signs of life of each end. */
export const ALIVE_EVERY_MS = 3_000;
/** Milliseconds without a word after which the other end is taken for gone. */
export const SILENT_MS = 15_000;

/** The size that a person's terminal has. */
const size = { columns: z.number().int().min(20).max(500), rows: z.number().int().min(5).max(200) };

/** Person → machine. */
export const personMessage = z.discriminatedUnion('kind', [
  /** Acknowledgement that everything up to and including this frame is on the screen. */
  z.object({ kind: z.literal('seen'), frame: z.number().int().nonnegative() }),
  z.object({ kind: z.literal('alive') }),
  /** Bytes that the keys of a terminal send, in base64. */
  z.object({ kind: z.literal('keys'), bytes: z.base64().max(Math.ceil((KEY_BYTES_MAX * 4) / 3) + 4) }),
  z.object({ kind: z.literal('paste'), text: z.string().max(PASTE_CHARS_MAX) }),
  z.object({ kind: z.literal('size'), ...size }),
]);
/** A checked `personMessage`. */
export type PersonMessage = z.infer<typeof personMessage>;

/** Tells whether a message changes something at the pane: a person who only watches may not send it. */
export function isTyping({ kind }: PersonMessage): boolean {
  return kind === 'keys' || kind === 'paste' || kind === 'size';
}

const count = z.number().int().nonnegative().max(10_000);

/** Machine → person. A person's program trusts none of it. */
export const screenMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('frame'),
    frame: z.number().int().positive(),
    columns: count,
    rows: count,
    /** The rows that are not as in the frame before: text with sequences for colours. */
    changed: z
      .array(z.tuple([count, text]))
      .max(1_000)
      .readonly(),
    /** Place of the cursor; null: it is hidden. */
    cursor: z.object({ x: count, y: count }).nullable(),
  }),
  z.object({ kind: z.literal('alive') }),
  /** Keys wait, because Drover itself types into this pane. */
  z.object({ kind: z.literal('held'), held: z.boolean() }),
  z.object({ kind: z.literal('ended'), code: z.string().max(100), message: text }),
]);
/** A checked `screenMessage`. */
export type ScreenMessage = z.infer<typeof screenMessage>;

/** A frame of a screen. */
export type ScreenFrame = Extract<ScreenMessage, { kind: 'frame' }>;

/** Paths at which the two ends come to the coordinator. */
export const TERMINAL_PATHS = { person: '/terminal', machine: '/agent/terminal' } as const;
/** The header in which a person shows the ticket, a one-time id for one terminal; an address would stand in logs of proxies. */
export const TERMINAL_TICKET_HEADER = 'drover-terminal';

/** Queries to a machine about the panes that people want to reach. */
export const terminalQueries = [
  /** Locates the worker's pane, for people who log in to the machine. */
  z.object({ kind: z.literal('locate-pane') }),
  /** Connects the pane that the worker has now to a person's terminal, which waits at the coordinator. Without `types` the person only watches. */
  z.object({ kind: z.literal('open-terminal'), terminal: uuid, types: z.boolean() }),
] as const;

/** Results of these queries. */
export const terminalResults = [
  z.object({ kind: z.literal('located'), socket: line, session: line }),
  /** The terminal is connected to this life of the worker's pane, and to no other. */
  z.object({ kind: z.literal('terminal-opened'), incarnation: line }),
] as const;
