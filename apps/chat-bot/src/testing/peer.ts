/** A chat service on loopback that speaks its documented protocol, and what tests make it do. */
import type { BotOptions } from '../bot.ts';

/** A message of the bot as people see it now. */
export interface Seen {
  readonly ref: string;
  readonly address: string;
  readonly text: string;
  readonly labels: readonly string[];
}

/** What the service does with the next calls that show a card. */
export type Fault =
  /** Refuses with its word for too many requests, to be tried after so many seconds. */
  | { readonly kind: 'rate-limit'; readonly seconds: number }
  | { readonly kind: 'server-error' }
  /** Cuts the connection before it does anything. */
  | { readonly kind: 'cut' }
  /** Does it, and cuts the connection before it answers. */
  | { readonly kind: 'answer-lost' }
  /** The chat is gone, or the bot was thrown out. */
  | { readonly kind: 'gone' };

/** A press as the service delivers it. */
export interface Press {
  /** What the bot told in its place; null: nothing yet. */
  readonly told: () => string | null;
  /** Delivers it once more, as after a lost acknowledgement. */
  readonly again: () => void;
}

/**
 * A scripted service with one chat and one person in it. Its clock is years off: what it says of times is of 1970 or 2023, and a bot that
 * went by it would fail every test.
 */
export interface ScriptedPeer extends AsyncDisposable {
  readonly name: 'telegram' | 'slack' | 'discord' | 'ntfy';
  /** What the bot is configured with; another token is wrong. */
  readonly options: Partial<BotOptions>;
  readonly wrongToken: Partial<BotOptions>;
  /** The chat with the person. */
  readonly address: string;
  /** Who the service says that the person is. */
  readonly subject: string;
  /** What the service can do: tell words in the place of a press; ask for words by a form or a reply; show a card twice. */
  readonly traits: { readonly tells: boolean; readonly forms: boolean; readonly doubles: boolean };
  /** Cards and other messages of the bot, oldest first. */
  seen(): readonly Seen[];
  /** How often people were alarmed. */
  pings(): number;
  /** The next call that shows a card meets this. */
  fault(fault: Fault): void;
  /** Presses the button with this label on a message. */
  press(ref: string, label: string): Press;
  /** Presses a button below the words that the bot answered a command with last. */
  pressAnswer(label: string): Press;
  /** What was answered to commands, as people read it. */
  answers(): readonly string[];
  /** A press that carries what somebody made up. */
  forge(ref: string, payload: string): Press;
  /** Whether a bot listens: what is pressed now reaches it. */
  isHeard(): boolean;
  /** The service is away: it cuts every connection, and forgets nothing. */
  goAway(isAway: boolean): void;
  /** Whether the bot has asked for words. */
  isFormOpen(): boolean;
  /** Sends words in answer to the form or question that the bot has shown last. */
  sendWords(text: string): Press;
  /** Calls `/drover` with these words, or `/link` with a code. */
  command(verb: 'drover' | 'link', words: string): void;
  /** Ends the connection on which events come. */
  dropConnection(): void;
  /** What people do from now on is delivered late. */
  holdBack(): void;
  /** What waits is delivered, the last one first. */
  letGo(): void;
}
