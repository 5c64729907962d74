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

/** A new person, who reaches all projects if `project` is absent. */
export const addPersonInput = z.object({
  name: personName,
  role: personRole,
  project: z.string().min(1).max(NAME_MAX).optional(),
});

/** Gives a person another role, or another project; null lets the person reach all projects. */
export const editPersonInput = z.object({
  name: z.string().min(1).max(100),
  role: personRole.optional(),
  project: z.string().min(1).max(NAME_MAX).nullable().optional(),
});

/** Asks for a code that links a chat to a person. Adds an unknown person as an operator. */
export const linkPersonInput = z.object({ name: personName });

/** Sets the address for mail about questions, with links that answer as that person; null: no mail. */
export const mailPersonInput = z.object({
  name: z.string().min(1).max(100),
  address: z
    .string()
    .max(200)
    .regex(/^[^\s@<>]+@[^\s@<>]+$/u, 'expected an address such as ada@example.com')
    .nullable(),
});

/** Removes a person: their chats get no more messages and may ask for nothing. */
export const removePersonInput = z.object({ name: z.string().min(1).max(100) });

/** A person, with their accounts in chats and their address for mail. */
export const personView = z.object({
  id: uuid,
  name: z.string(),
  role: personRole,
  /** The only project that the person reaches; null: the person reaches all projects. */
  project: z.string().nullable(),
  identities: z.array(z.string()),
  places: z.array(z.string()),
  createdAt: epochMs,
});

export type PersonView = z.infer<typeof personView>;

/** A code, shown once, that links one chat until `expiresAt`. */
export interface LinkCodeView {
  readonly person: PersonView;
  readonly code: string;
  readonly expiresAt: number;
}

/** The use cases of people: a part of `Fleet`. */
export interface PeopleFleet {
  listPeople(by: Actor): Promise<readonly PersonView[]>;
  /** Refuses with `name-taken`, or `not-found` of the project. */
  addPerson(input: z.infer<typeof addPersonInput>, by: Actor): Promise<Outcome<PersonView>>;
  /** Changes the person's rights at once, in chats too. Refuses with `not-found` of the person or the project. */
  editPerson(input: z.infer<typeof editPersonInput>, by: Actor): Promise<Outcome<PersonView>>;
  linkPerson(input: z.infer<typeof linkPersonInput>, by: Actor): Promise<Outcome<LinkCodeView>>;
  /** Replaces the previous address. Refuses with `not-found`, and with `taken` if another person has the address. */
  mailPerson(input: z.infer<typeof mailPersonInput>, by: Actor): Promise<Outcome<PersonView>>;
  removePerson(input: z.infer<typeof removePersonInput>, by: Actor): Promise<Outcome<PersonView>>;
}

/** Asks for the work of a channel. With `wait` the answer waits up to so many seconds for work. */
export const workQuery = z.object({
  wait: z.coerce.number().int().min(0).max(25).default(0),
  holder: z.string().min(8).max(100),
});

/** The channel that a bot serves. */
export const channelParam = z.object({ name: channelName });

/** A bot, and the channel that it calls for. */
export interface BotCall {
  readonly channel: ChannelName;
  readonly by: Actor;
}

/** The use cases of bots: a part of `Fleet`. The caller has checked that the bot's token is for the channel. */
export interface ChannelFleet {
  channelWork(
    call: BotCall,
    asked: { readonly holder: string; readonly waitMs: number },
    signal: AbortSignal | undefined,
  ): Promise<WorkAnswer>;
  /** Releases the work of the channel for another process. */
  releaseChannel(call: BotCall, holder: string): Promise<void>;
  /** Refuses with `not-held` if another process has the delivery by now. */
  reportDelivery(call: BotCall, escalation: string, report: DeliveryReport): Promise<Outcome<null>>;
  press(call: BotCall, press: PressRequest): Promise<PressOutcome>;
  linkIdentity(call: BotCall, link: LinkRequest): Promise<SaidAnswer>;
  chatCommand(call: BotCall, command: CommandRequest): Promise<SaidAnswer>;
  /** Moves the messages of a chat to its new address. A second call does nothing. */
  moveChat(call: BotCall, move: MoveRequest): Promise<void>;
}
