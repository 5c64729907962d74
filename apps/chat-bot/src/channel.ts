/** Port of a channel: it shows cards, and reports actions of people there. */
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

/** The result of one try to show a card. */
export type Shown =
  | { readonly kind: 'shown'; readonly ref: string }
  /** The chat has another address from now on; nothing is shown yet. */
  | { readonly kind: 'moved'; readonly to: string }
  /** `isFinal`: a retry is useless. `retryAfterMs` comes from the service. */
  | {
      readonly kind: 'failed';
      readonly error: string;
      readonly retryAfterMs: number | null;
      readonly isFinal: boolean;
    };

/**
 * Passes on actions of people. Each call resolves when the action is stored, with as many retries as needed, and
 * rejects only when the bot stops: a channel acknowledges after that. X1.
 */
export interface Desk {
  press(request: PressRequest): Promise<PressOutcome>;
  link(request: LinkRequest): Promise<SaidAnswer>;
  command(request: CommandRequest): Promise<SaidAnswer>;
  move(request: MoveRequest): Promise<void>;
}

/** A chat service. */
export interface Channel {
  readonly name: ChannelName;
  /** Posts a card, or edits the existing one. Never throws. */
  show(delivery: Delivery, signal: AbortSignal): Promise<Shown>;
  /**
   * Passes on actions of people until the signal aborts, through all failures that may pass.
   *
   * @throws {ChannelError} when only a person can repair the channel.
   */
  listen(desk: Desk, signal: AbortSignal): Promise<void>;
}

/** Parts that a channel listens with. `Call` calls its service. */
export interface Ears<Call> {
  readonly nature: Nature;
  readonly call: Call;
  readonly desk: Desk;
}

/** Stops a channel until a person repairs something: a wrong token, a missing right. */
export class ChannelError extends Error {
  override readonly name = 'ChannelError';
}
