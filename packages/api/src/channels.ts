/** People in chats, and the bots that serve them: what clients send and see, and the use cases. */
import { NAME_MAX, channelName, epochMs, uuid } from '@drover/protocol';
import type {
  ChannelName,
  CommandRequest,
  DeliveryReport,
  LinkRequest,
  MoveRequest,
  PressOutcome,
  PressRequest,
  SaidAnswer,
  WorkAnswer,
} from '@drover/protocol';
import { z } from 'zod';
import type { Outcome } from './outcome.ts';
import type { Actor } from './people.ts';
import { personName, personRole } from './people.ts';

/** A new person. Without a project they reach all of them. */
export const addPersonInput = z.object({
  name: personName,
  role: personRole,
  project: z.string().min(1).max(NAME_MAX).optional(),
});

/** Gives a person another role, or another project; null: they reach all of them. */
export const editPersonInput = z.object({
  name: z.string().min(1).max(100),
  role: personRole.optional(),
  project: z.string().min(1).max(NAME_MAX).nullable().optional(),
});

/** Asks for a code that links a chat to a person. Somebody who is not there yet is added, as an operator. */
export const linkPersonInput = z.object({ name: personName });

/** Where a person gets mail about questions, with links that answer them as that person; null: nowhere. */
export const mailPersonInput = z.object({
  name: z.string().min(1).max(100),
  address: z
    .string()
    .max(200)
    .regex(/^[^\s@<>]+@[^\s@<>]+$/u, 'expected an address such as ada@example.com')
    .nullable(),
});

/** Removes a person: their chats are told nothing any more and may ask for nothing. */
export const removePersonInput = z.object({ name: z.string().min(1).max(100) });

/** A person, with who they are in chats and where they are asked. */
export const personView = z.object({
  id: uuid,
  name: z.string(),
  role: personRole,
  /** Null: they reach all projects. */
  project: z.string().nullable(),
  identities: z.array(z.string()),
  places: z.array(z.string()),
  createdAt: epochMs,
});

/** A checked `personView`. */
export type PersonView = z.infer<typeof personView>;

/** A code, shown once. It is good for one chat, until `expiresAt`. */
export interface LinkCodeView {
  readonly person: PersonView;
  readonly code: string;
  readonly expiresAt: number;
}

/** The use cases of people: a part of `Fleet`. */
export interface PeopleFleet {
  listPeople(by: Actor): Promise<readonly PersonView[]>;
  /** Refused with `name-taken`, or `not-found` of the project. */
  addPerson(input: z.infer<typeof addPersonInput>, by: Actor): Promise<Outcome<PersonView>>;
  /** Refused with `not-found` of the person or the project. What they may do changes at once, in chats too. */
  editPerson(input: z.infer<typeof editPersonInput>, by: Actor): Promise<Outcome<PersonView>>;
  linkPerson(input: z.infer<typeof linkPersonInput>, by: Actor): Promise<Outcome<LinkCodeView>>;
  /** Takes the place of the address before. Refused with `not-found`, and `taken` when it is another person's. */
  mailPerson(input: z.infer<typeof mailPersonInput>, by: Actor): Promise<Outcome<PersonView>>;
  removePerson(input: z.infer<typeof removePersonInput>, by: Actor): Promise<Outcome<PersonView>>;
}

/** Asks for the work of a channel. With `waitMs` the answer waits for some. */
export const workQuery = z.object({
  wait: z.coerce.number().int().min(0).max(25).default(0),
  holder: z.string().min(8).max(100),
});

/** The channel that a bot means. */
export const channelParam = z.object({ name: channelName });

/** A bot that speaks, and the channel for which it does. */
export interface BotCall {
  readonly channel: ChannelName;
  readonly by: Actor;
}

/** The use cases of bots: a part of `Fleet`. The caller has looked whether the bot's token is for the channel. */
export interface ChannelFleet {
  channelWork(
    call: BotCall,
    asked: { readonly holder: string; readonly waitMs: number },
    signal: AbortSignal | undefined,
  ): Promise<WorkAnswer>;
  /** Gives the work of the channel free for another process. */
  releaseChannel(call: BotCall, holder: string): Promise<void>;
  /** Refused with `not-held` when another process has the delivery by now. */
  reportDelivery(call: BotCall, escalation: string, report: DeliveryReport): Promise<Outcome<null>>;
  press(call: BotCall, press: PressRequest): Promise<PressOutcome>;
  linkIdentity(call: BotCall, link: LinkRequest): Promise<SaidAnswer>;
  chatCommand(call: BotCall, command: CommandRequest): Promise<SaidAnswer>;
  /** Moves what a chat was shown to its new address. A second call does nothing. */
  moveChat(call: BotCall, move: MoveRequest): Promise<void>;
}
