/** A chat service on loopback that speaks its documented protocol, controlled by tests. */
import type { BotOptions } from '../bot.ts';

/** A message of the bot as people see it now. */
export interface Seen {
  readonly ref: string;
  readonly address: string;
  readonly text: string;
  readonly labels: readonly string[];
}

/** Behaviour of the service at the next calls that show a card. */
export type Fault =
  /** Refuses with the service's error for too many requests, with a retry after so many seconds. */
  | { readonly kind: 'rate-limit'; readonly seconds: number }
  | { readonly kind: 'server-error' }
  /** Cuts the connection before acting. */
  | { readonly kind: 'cut' }
  /** Acts, and cuts the connection before the answer. */
  | { readonly kind: 'answer-lost' }
  /** The chat is gone, or the bot was thrown out. */
  | { readonly kind: 'gone' };

/** A press as the service delivers it. */
export interface Press {
  /** The bot's message in answer to the press; null: none yet. */
  readonly told: () => string | null;
  /** Delivers the press again, as after a lost acknowledgement. */
  readonly again: () => void;
}

/**
 * A scripted service with one chat and one person in it. Its clock is years off: its times are of 1970 or 2023, so a
 * bot that relied on them would fail every test.
 */
export interface ScriptedPeer extends AsyncDisposable {
  readonly name: 'telegram' | 'slack' | 'discord' | 'ntfy';
  /** Options of the bot; another token is wrong. */
  readonly options: Partial<BotOptions>;
  readonly wrongToken: Partial<BotOptions>;
  /** The chat with the person. */
  readonly address: string;
  /** The service's id of the person. */
  readonly subject: string;
  /** Traits of the service: answers a press with a text; asks for texts by a form or a reply; shows a card twice. */
  readonly traits: { readonly tells: boolean; readonly forms: boolean; readonly doubles: boolean };
  /** Returns cards and other messages of the bot, oldest first. */
  seen(): readonly Seen[];
  /** Number of alarms so far. */
  pings(): number;
  /** Applies this fault to the next call that shows a card. */
  fault(fault: Fault): void;
  /** Presses the button with this label on a message. */
  press(ref: string, label: string): Press;
  /** Presses a button below the bot's last answer to a command. */
  pressAnswer(label: string): Press;
  /** Returns answers to commands, as people read them. */
  answers(): readonly string[];
  /** Sends a press with a forged payload. */
  forge(ref: string, payload: string): Press;
  /** True if a bot listens, so that a press reaches it now. */
  isHeard(): boolean;
  /** Takes the service away: it cuts every connection, and keeps its state. */
  goAway(isAway: boolean): void;
  /** True if the bot has asked for a text. */
  isFormOpen(): boolean;
  /** Sends a text in answer to the last form or question of the bot. */
  sendWords(text: string): Press;
  /** Calls `/drover` with these words, or `/link` with a code. */
  command(verb: 'drover' | 'link', words: string): void;
  /** Ends the connection that carries events. */
  dropConnection(): void;
  /** Delivers later actions of people late. */
  holdBack(): void;
  /** Delivers held actions, the last one first. */
  letGo(): void;
}
