/**
 * Port to an agent program that lets a second client into its session while its screen stays in the pane for people. What it promises:
 *
 * H1 A text is sent once. Before it is sent again in any way, the conversation is looked at.
 * H2 `taken` is said only of a text that the conversation holds word for word.
 * H3 `closed` is said only when the program cannot take the text any more: another way may be used.
 */
import type { StructuredState } from '@drover/screen';
import { z } from 'zod';

/** Place of a text in a conversation, noted before the text is sent: it is looked for there after a crash. */
export const sentTo = z.object({
  /** Conversation, by the program's own name. */
  thread: z.string(),
  /** Name of the text there, or of the last message before it. */
  id: z.string(),
  /** True if a turn was under way: the program may keep the text for later. */
  isBusy: z.boolean(),
  /** Process of the program that it is sent to; absent: the pane's own, or not known. */
  server: z.string().optional(),
});

export type SentTo = z.infer<typeof sentTo>;

/** Text for a conversation. `textId`: the same in every attempt. */
export interface ChannelText {
  readonly textId: string;
  readonly text: string;
  readonly mayQueue: boolean;
}

/** End of a delivery. `unknown`: it may have been taken, or be taken later. */
export type ChannelReceipt =
  | { readonly kind: 'taken'; readonly to: SentTo; readonly evidence: string }
  | { readonly kind: 'queued'; readonly evidence: string }
  | { readonly kind: 'busy' }
  | { readonly kind: 'closed' | 'unknown'; readonly why: string };

/** Permission dialog to answer: its words on the screen, and the label of the option. */
export interface Asked {
  readonly command: string;
  readonly label: string;
}

/** A second client of one life of an agent program. None of its functions rejects with anything but a {@link ChannelError}. */
export interface Channel extends Disposable {
  /** Name in receipts. */
  readonly name: string;
  /** Finds the place for a text. */
  place(textId: string): Promise<SentTo>;
  /** Sends a text; it resolves when the program has accepted it. */
  send(to: SentTo, text: string): Promise<void>;
  /** Tells whether the conversation holds a text that was sent. */
  holds(to: SentTo, text: string): Promise<boolean>;
  /** Tells whether the program works on the newest text of the conversation, or has answered it. */
  hasBegun(to: SentTo): Promise<boolean>;
  /** Tells whether the process that a text was sent to has ended while the program goes on: it takes nothing any more. */
  isGone(to: SentTo): Promise<boolean>;
  /** Reads all messages in the program's own form, oldest first; null when its records are files. */
  conversation(): Promise<readonly unknown[] | null>;
  /** Stops the turn that is under way. @returns false when there is none. */
  interrupt(): Promise<boolean>;
  /** Answers a permission by its id. @returns false when no request, or not just one, is the one on the screen. */
  answer(asked: Asked): Promise<boolean>;
  state(): Promise<StructuredState | null>;
}

/** Reasons why a channel cannot be used. */
type ChannelFailure =
  /** The program was not reached, or does not answer. */
  | 'unreachable'
  /** The program said no: nothing has happened. */
  | 'refused'
  /** No conversation, or more than one, could be meant. */
  | 'no-thread'
  /** The program sent too much, no valid message, or an answer that was not asked for, and was disconnected. */
  | 'cut-off';

/** A channel cannot do what was asked of it. */
export class ChannelError extends Error {
  override readonly name = 'ChannelError';
  readonly code: ChannelFailure;

  constructor(code: ChannelFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
