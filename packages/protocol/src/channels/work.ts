/** Defines a bot's work: it asks for work, shows or edits cards, and says what became of each. */
import { z } from 'zod';
import { card, CARD_OPTIONS_MAX, placeAddress } from './card.ts';

/** Deliveries that a bot gets at once. */
export const DELIVERIES_MAX = 50;

/** A reference by which a channel finds a card that it has shown. */
export const cardRef = z.string().min(1).max(200);

/** Process that asks: a word by chance, new at each start. If there are several, only one has the work of a channel at a time. */
export const holder = z.string().min(8).max(100);

/** A card that a place should show. */
export const delivery = z.object({
  address: placeAddress,
  /** Card that the place shows already; null: no known card. */
  ref: cardRef.nullable(),
  /** Tells whether the people there should be alarmed: never for an edit alone. */
  ping: z.boolean(),
  /** Pings that are wanted so far; said again with the report. */
  pings: z.number().int(),
  card,
  /** A page where the person of this place can answer; absent: none. Secret: it answers as that person. */
  link: z.string().max(500).optional(),
  /** Ids of a link, by which it takes the options of the card, in their sequence. */
  optionIds: z.array(z.string().max(200)).max(CARD_OPTIONS_MAX).optional(),
});

/** A checked `delivery`. */
export type Delivery = z.infer<typeof delivery>;

/** `GET /v1/channels/{name}/work?wait=25&holder=…`. */
export const workAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('work'), deliveries: z.array(delivery).max(DELIVERIES_MAX) }),
  /** Answer when another process has the work of this channel. */
  z.object({ kind: z.literal('stand-by') }),
]);

/** A checked `workAnswer`. */
export type WorkAnswer = z.infer<typeof workAnswer>;

/** `POST /v1/channels/{name}/work/{escalation}`: what became of a delivery. */
export const deliveryReport = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('shown'),
    holder,
    address: placeAddress,
    /** The version of the card that it shows now. */
    version: z.number().int(),
    ref: cardRef,
    pings: z.number().int(),
  }),
  z.object({
    kind: z.literal('failed'),
    holder,
    address: placeAddress,
    /** Error for people, without secrets. */
    error: z.string().max(1_000),
    /** Milliseconds after which to try again; null: as the coordinator thinks. */
    retryAfterMs: z.number().int().nonnegative().max(86_400_000).nullable(),
    /** Tells that a retry cannot mend it: the chat is gone, or the bot was thrown out. */
    isFinal: z.boolean(),
  }),
]);

/** A checked `deliveryReport`. */
export type DeliveryReport = z.infer<typeof deliveryReport>;
