/** Defines what a channel shows of an escalation. The coordinator has taken secrets and control sequences out of it. */
import { z } from 'zod';
import { epochMs, uuid } from '../names.ts';

/** The channels that a bot serves. */
export const CHANNELS = ['telegram', 'slack', 'discord', 'ntfy'] as const;
/** The name of a channel. */
export const channelName = z.enum(CHANNELS, { error: `There is no such channel; there are: ${CHANNELS.join(', ')}` });
/** A checked `channelName`. */
export type ChannelName = z.infer<typeof channelName>;

/** Characters of the body of a card; the shortest message of a channel (Discord) holds 2,000. */
export const CARD_BODY_MAX = 1_000;
/** Lines of the pane on a card, and characters of each. */
export const CARD_PANE_LINES = 12;
/** Characters of a line; see `CARD_PANE_LINES`. */
export const CARD_LINE_MAX = 100;
/** Options of a question that a card can have. */
export const CARD_OPTIONS_MAX = 50;

/** An address of a channel where cards are shown: a chat, a conversation, a topic. */
export const placeAddress = z.string().min(1).max(200);
/** Id that a channel gives a person: `7` of Telegram, `T1:U1` of Slack. Never a name that people choose. */
export const subject = z.string().min(1).max(200);

/** A card. Two cards of one escalation with the same `version` say the same. Times are epoch milliseconds. */
export const card = z.object({
  escalation: uuid,
  shortId: z.string().max(40),
  version: z.number().int(),
  asked: z.number().int(),
  status: z.enum(['open', 'acked', 'resolved', 'expired', 'cancelled']),
  severity: z.string().max(40),
  worker: z.string().max(200),
  /** Number of its workers. */
  workers: z.number().int(),
  project: z.string().max(200),
  machine: z.string().max(200),
  title: z.string().max(400),
  body: z.string().max(CARD_BODY_MAX),
  /** Tells whether the question has more than the card; absent: no. */
  isCut: z.boolean().optional(),
  /** The last lines of the pane. */
  pane: z.array(z.string().max(CARD_LINE_MAX)).max(CARD_PANE_LINES),
  options: z.array(z.object({ label: z.string().max(200), needsText: z.boolean() })).max(CARD_OPTIONS_MAX),
  /** Person who answered, and the option. */
  resolution: z.object({ by: z.string().max(200), label: z.string().max(200) }).nullable(),
  application: z.enum(['pending', 'applied', 'rejected_stale', 'failed']).nullable(),
  ackedBy: z.string().max(200).nullable(),
  /** The question on the dashboard, for people who are signed in there; absent: it is closed, or the coordinator does not know its own address. */
  url: z.string().max(500).optional(),
  createdAt: epochMs,
});

/** A checked `card`. */
export type Card = z.infer<typeof card>;
