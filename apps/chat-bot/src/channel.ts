/** What a channel is to the bot: it shows cards, and tells what people do there. */
import type {
  CommandRequest,
  ChannelName,
  Delivery,
  LinkRequest,
  MoveRequest,
  PressOutcome,
  PressRequest,
  SaidAnswer,
} from '@drover/protocol/channels';
import type { Nature } from './ports.ts';

/** What became of one try to show a card. */
export type Shown =
  | { readonly kind: 'shown'; readonly ref: string }
  /** The chat has another address from now on, and nothing is shown yet. */
  | { readonly kind: 'moved'; readonly to: string }
  /** `isFinal`: trying again is of no use. `retryAfterMs` is what the service says. */
  | {
      readonly kind: 'failed';
      readonly error: string;
      readonly retryAfterMs: number | null;
      readonly isFinal: boolean;
    };

/**
 * What people do, handed on. Each resolves when it is stored, however often that must be tried, and rejects only when the bot stops: a
 * channel acknowledges after that. X1.
 */
export interface Desk {
  press(request: PressRequest): Promise<PressOutcome>;
  link(request: LinkRequest): Promise<SaidAnswer>;
  command(request: CommandRequest): Promise<SaidAnswer>;
  move(request: MoveRequest): Promise<void>;
}

/** One chat service. */
export interface Channel {
  readonly name: ChannelName;
  /** Posts a card, or edits the one that is there. Never throws. */
  show(delivery: Delivery, signal: AbortSignal): Promise<Shown>;
  /**
   * Hands on what people do until the signal aborts, over all failures that may pass.
   *
   * @throws {ChannelError} when only a person can mend it.
   */
  listen(desk: Desk, signal: AbortSignal): Promise<void>;
}

/** What a channel listens with. `Call` calls its service. */
export interface Ears<Call> {
  readonly nature: Nature;
  readonly call: Call;
  readonly desk: Desk;
}

/** A channel can do nothing until a person has mended something: a wrong token, a right that is missing. */
export class ChannelError extends Error {
  override readonly name = 'ChannelError';
}
