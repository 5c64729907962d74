/** Defines what people do in a chat: press a button, link themselves, give a command. */
import { z } from 'zod';
import { uuid } from '../names.ts';
import { card, placeAddress, subject } from './card.ts';

/** Characters of words that a person sends by a chat. */
export const CHAT_WORDS_MAX = 16_000;

/** A button. A button names the asking that its card showed. */
export const button = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('answer'),
    escalation: uuid,
    asked: z.number().int().min(1),
    /** The index of the option. */
    option: z.number().int().min(0).max(1_000),
  }),
  /** Acknowledges a question: somebody looks at it. */
  z.object({ kind: z.literal('ack'), escalation: uuid }),
  /** A worker's work is accepted, as the review showed it. */
  z.object({ kind: z.literal('accept'), worker: z.string().min(1).max(100), head: z.string().min(7).max(64) }),
]);

/** A checked `button`. */
export type Button = z.infer<typeof button>;

/** `POST /v1/channels/{name}/press`. The same `key` again gets the first reply. */
export const pressRequest = z.object({
  key: uuid,
  subject,
  button,
  text: z.string().min(1).max(CHAT_WORDS_MAX).optional(),
});

/** A checked `pressRequest`. */
export type PressRequest = z.infer<typeof pressRequest>;

const said = z.string().max(4_000);

/** Outcome of a press. Each is settled and stored; `says` is for the one who pressed. */
export const pressOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted'), says: said, card: card.nullable() }),
  /** The option wants words: ask for them, and press again with them. */
  z.object({ kind: z.literal('needs-text'), says: said, card }),
  /** Outcome of a press that came too late: another answer won, the question was asked again, or nothing is asked any more. The card shows it. */
  z.object({ kind: z.literal('over'), says: said, card: card.nullable() }),
  /** Drover does not know who this is, or may not let them. */
  z.object({ kind: z.literal('not-allowed'), says: said }),
]);

/** A checked `pressOutcome`. */
export type PressOutcome = z.infer<typeof pressOutcome>;

/** `POST /v1/channels/{name}/link`: a code of `drover user link`. `address` is where the person is asked from now on. */
export const linkRequest = z.object({
  subject,
  address: placeAddress,
  code: z.string().min(1).max(100),
});

/** A checked `linkRequest`. */
export type LinkRequest = z.infer<typeof linkRequest>;

/** `POST /v1/channels/{name}/command`: the words behind `/drover`. The same `key` again is not carried out again. */
export const commandRequest = z.object({
  key: uuid,
  subject,
  address: placeAddress,
  words: z.string().max(CHAT_WORDS_MAX),
});

/** A checked `commandRequest`. */
export type CommandRequest = z.infer<typeof commandRequest>;

/** `POST /v1/channels/{name}/move`: a chat is found under another address from now on. */
export const moveRequest = z.object({ from: placeAddress, to: placeAddress });

/** A checked `moveRequest`. */
export type MoveRequest = z.infer<typeof moveRequest>;

/** Outcome of a link or a command, in words for the person who asked, with the buttons that go on from there. */
export const saidAnswer = z.object({
  isDone: z.boolean(),
  says: said,
  buttons: z.array(z.object({ label: z.string().max(200), button })).max(10),
});

/** A checked `saidAnswer`. */
export type SaidAnswer = z.infer<typeof saidAnswer>;
