/**
 * Delivers a text by the program's channel, with the screen as a witness: nothing is sent into a dialog, or while the screen and the program's own
 * words contradict each other. A person's draft stays in the box.
 */
import { messageOf, waitFor } from '@drover/base';
import { isAtWork, type CommandResult } from '@drover/core';
import { PROMPT_BYTES_MAX } from '@drover/protocol';
import type { Channel, ChannelReceipt, SentTo } from './channel.ts';
import { deliverBy } from './deliver.ts';
import { addressOf } from '../execute/commands/open.ts';
import type { DeliveryContext } from '../execute/tools.ts';
import { living, type Pane, type PaneReading } from '../panes/pane.ts';
import type { Deliver } from '../deliver/attempt.ts';
import { keepConversation } from '../deliver/notes/conversation.ts';
import { lastDelivery } from '../deliver/last-delivery.ts';
import type { DeliveryNotes } from '../deliver/notes/notes.ts';

/** Milliseconds that the screen gets to follow a text that was taken. */
const FOLLOW_MS = 2_000;
const CHECK_EVERY_MS = 15;
/** Milliseconds in which a program must start on a text that it holds, counted after the time for its screen. */
const BEGIN_MS = 5_000;
const ASK_EVERY_MS = 250;
/** Words that start a turn when a text has started none. Sending the text again would put it into the conversation twice. */
const ROUSE = 'Please go on with the message above.';

/** Delivers by the channel; null: there is none, it is closed, or the keyboard must be used. */
export async function deliverByChannel(context: DeliveryContext, command: Deliver): Promise<CommandResult | null> {
  const channel = await context.channels.of(command.incarnation);
  // Drover's own text is in the box: what was typed is finished by the keyboard.
  if (channel === null || command.clearFirst || command.enterOnly) return null;
  if (Buffer.byteLength(command.text) > PROMPT_BYTES_MAX) return null;
  const last = await lastDelivery(context, command);
  const isAgain = last?.isSame === true && !last.wasTaken;
  const earlier = isAgain ? (last.notes.sentTo ?? null) : null;
  if (isAgain && earlier === null) return null;
  const pane = await context.panes.at(addressOf(command.incarnation));
  const sent = await pane?.withHands(() => new Sending({ context, command, channel, pane }).run(earlier, last?.notes));
  return sent ?? null;
}

interface SendingParts {
  readonly context: DeliveryContext;
  readonly command: Deliver;
  readonly channel: Channel;
  readonly pane: Pane;
}

class Sending {
  readonly #parts: SendingParts;

  constructor(parts: SendingParts) {
    this.#parts = parts;
  }

  async run(earlier: SentTo | null, earlierNotes: DeliveryNotes | undefined): Promise<CommandResult | null> {
    const { context, command, channel } = this.#parts;
    if (earlier !== null && earlierNotes !== undefined) context.journal.note(context.commandId, earlierNotes);
    const before = await this.#see();
    const refusal = before === null ? 'keyboard' : judge(before, command.mayQueue);
    if (before === null || refusal === 'keyboard') return null;
    if (refusal !== null) return refusal;
    const { clock, signal, crashPoint } = context;
    const startedAt = clock.now();
    const receipt = await deliverBy(channel, command, {
      clock,
      signal,
      earlier,
      note: async (sentTo) => {
        await this.#note(before, sentTo);
        crashPoint('noted', 'deliver');
      },
      onAccepted: () => crashPoint('entered', 'deliver'),
    });
    const takenAt = clock.now();
    if (receipt.kind === 'taken') await keepConversation(context, command, receipt.to.thread);
    if (receipt.kind !== 'taken' || (await this.#follow(before)) || !(await this.#rouse(receipt.to)))
      return this.#result(receipt, { startedAt, takenAt });
    const evidence = `${receipt.evidence}; no turn began with it, and so Drover asked for one`;
    return this.#result({ ...receipt, evidence }, { startedAt, takenAt });
  }

  async #see(): Promise<PaneReading | null> {
    const { context, pane } = this.#parts;
    return living(await pane.seeWhole(context.profiles.of(context.settings).profile));
  }

  async #note({ reading }: PaneReading, sentTo: SentTo): Promise<void> {
    const { context, command } = this.#parts;
    const { settings, seq, files, journal, commandId } = context;
    const notes: DeliveryNotes = {
      incarnation: command.incarnation,
      text: command.text,
      step: 'sent',
      sentTo,
      transcript: null,
      hooks: null,
      wasBusy: sentTo.isBusy,
      progress: reading.progress,
    };
    await files.kept?.keep(settings.workerId, { seq, textId: command.textId, notes });
    journal.note(commandId, notes);
  }

  /**
   * Waits until the screen shows the turn: what is reported after the receipt must not be older than it.
   *
   * @returns false if it did not in time.
   */
  async #follow({ reading }: PaneReading): Promise<boolean> {
    const { clock, signal } = this.#parts.context;
    const hasFollowed = async (): Promise<true | undefined> => {
      const seen = await this.#see();
      return (
        seen === null || seen.reading.state.kind !== 'ready' || seen.reading.progress !== reading.progress || undefined
      );
    };
    return (await waitFor(clock, hasFollowed, { withinMs: FOLLOW_MS, everyMs: CHECK_EVERY_MS, signal })) === true;
  }

  /** Asks the program to go on if it holds the text and starts no turn. @returns true if it had to be asked. */
  async #rouse(to: SentTo): Promise<boolean> {
    const { channel, context } = this.#parts;
    const { clock, signal } = context;
    const hasBegun = async (): Promise<true | undefined> => (await channel.hasBegun(to)) || undefined;
    try {
      if (await waitFor(clock, hasBegun, { withinMs: BEGIN_MS, everyMs: ASK_EVERY_MS, signal })) return false;
      await channel.send(to, ROUSE);
      return true;
    } catch (error) {
      context.log('info', `No turn of "${context.settings.name}" was seen to begin: ${messageOf(error)}`);
      return false;
    }
  }

  #result(
    receipt: ChannelReceipt,
    { startedAt, takenAt }: { readonly startedAt: number; readonly takenAt: number },
  ): CommandResult | null {
    const { command, channel, context } = this.#parts;
    const told = { method: channel.name, bytes: Buffer.byteLength(command.text), enters: 0 };
    const at = context.clock.now();
    switch (receipt.kind) {
      case 'taken':
      case 'queued': {
        const evidence = [`channel: ${receipt.evidence}`];
        const steps = [
          { step: 'preflight', at: startedAt },
          { step: 'taken', at: takenAt },
        ] as const;
        return { kind: receipt.kind === 'taken' ? 'delivered' : 'queued', at, receipt: { ...told, evidence, steps } };
      }
      case 'busy':
        return { kind: 'refused', why: 'busy', detail: 'the agent is at work' };
      case 'closed':
        context.log(
          'info',
          `The channel of "${context.settings.name}" is closed, so its text is typed: ${receipt.why}`,
        );
        return null;
      case 'unknown':
        return { kind: 'unknown', why: receipt.why, receipt: { ...told, evidence: [receipt.why], steps: [] } };
      default:
        return receipt satisfies never;
    }
  }
}

/** Judges the screen: null when it invites a text; `keyboard` when typing, which waits for it, should decide. */
function judge({ reading: { state } }: PaneReading, mayQueue: boolean): CommandResult | 'keyboard' | null {
  switch (state.kind) {
    case 'question':
    case 'permission':
    case 'dialog':
      return { kind: 'refused', why: 'dialog', detail: `it asks: ${state.dialog.title}` };
    case 'ready':
    case 'processing':
    case 'error':
      return isAtWork(state) && !mayQueue ? { kind: 'refused', why: 'busy', detail: 'the agent is at work' } : null;
    case 'starting':
    case 'exited':
    case 'unknown':
      return 'keyboard';
    default:
      return state satisfies never;
  }
}
