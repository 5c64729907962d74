/** Describes a scripted agent program that lets a second client in, and what may happen to it in the middle of a request. */
import type { Channel } from '../../channels/channel.ts';

/** Fate of the next request that carries a text. */
export type Fate =
  /** The program answers. */
  | 'answer'
  /** The program says no, and takes nothing. */
  | 'refuse'
  /** The connection ends before the program has read the text. */
  | 'die-before'
  /** The connection ends after the program has taken the text, before it says so. */
  | 'die-after'
  /** The program takes the text and does not answer. */
  | 'mute'
  /** The program lives, does not answer, and takes the text when everybody has stopped waiting: at {@link ScriptedPeer.settle}. */
  | 'slow'
  /** The program takes the text, says no, and so lies. */
  | 'lie';

/** Permission that the program asks for. */
export interface ScriptedRequest {
  readonly command: string;
}

/** A scripted program with one conversation. */
export interface ScriptedPeer extends AsyncDisposable {
  /** A second client, as a new process of Drover would open it. */
  channel(): Channel;
  /** Texts in the conversation, in order. */
  taken(): readonly string[];
  /** Sets the fates of the next texts; after them the program answers. */
  fates(...fates: readonly Fate[]): void;
  /** A person, or Drover by the keyboard, types a text. */
  type(text: string): void;
  /** Takes at once what it was to take late. */
  settle(): void;
  begin(): void;
  end(): void;
  asks(request: ScriptedRequest): void;
  /** Decisions that came, in the program's own words. */
  decisions(): readonly string[];
  /** The program is away, or back with the same conversation. */
  away(isAway: boolean): Promise<void>;
  /** Another conversation of the same directory begins, so that none is the only one. */
  another(): void;
  /** The next answer is this text, as it is. */
  garbage(answer: string): void;
}
