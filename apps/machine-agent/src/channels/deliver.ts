/** Delivers a text by a channel, and never guesses: what was not acknowledged is looked for in the conversation (H1 to H3). */
import { type LocalClock, messageOf, pause } from '@drover/base';
import { ChannelError, type Channel, type ChannelReceipt, type ChannelText, type SentTo } from './channel.ts';

/** Milliseconds in which an acknowledged text must stand in the conversation. */
const RECEIPT_MS = 10_000;
/** Milliseconds for which a conversation must lack a text whose receiver has ended before it counts as never taken. */
const ABSENT_MS = 2_000;
/** Milliseconds to look for a text that was not acknowledged. A server that ended is started again within a second. */
const LOST_MS = 5_000;
const CHECK_EVERY_MS = 10;

interface DeliveryTools {
  readonly clock: LocalClock;
  readonly signal: AbortSignal;
  /** Place to which an earlier attempt sent the text. */
  readonly earlier: SentTo | null;
  /** Writes the place down, durably, before the text is sent. */
  readonly note: (to: SentTo) => Promise<void>;
  /** Called when the program has accepted the text. */
  readonly onAccepted?: () => void;
}

/** Delivers one text. Rejects only with what `note` rejects with: then nothing was sent. */
export async function deliverBy(
  channel: Channel,
  { textId, text, mayQueue }: ChannelText,
  tools: DeliveryTools,
): Promise<ChannelReceipt> {
  let to: SentTo;
  try {
    const { earlier } = tools;
    if (earlier !== null && (await channel.holds(earlier, text)))
      return {
        kind: 'taken',
        to: earlier,
        evidence: 'the conversation holds it: an earlier attempt was taken after all',
      };
    to = await channel.place(textId);
  } catch (error) {
    return { kind: 'closed', why: wordsOf(error) };
  }
  if (to.isBusy && !mayQueue) return { kind: 'busy' };
  await tools.note(to);
  try {
    await channel.send(to, text);
  } catch (error) {
    const isRefused = error instanceof ChannelError && error.code === 'refused';
    return seek(channel, { to, text, lost: { why: wordsOf(error), isRefused } }, tools);
  }
  tools.onAccepted?.();
  return seek(channel, { to, text, lost: null }, tools);
}

/** `lost`: why the program did not acknowledge the text, and whether it said no; null: it did acknowledge it. */
interface Sought {
  readonly to: SentTo;
  readonly text: string;
  readonly lost: { readonly why: string; readonly isRefused: boolean } | null;
}

/** Looks for a text. One that was lost on its way may be taken late, as long as the process lives that it was sent to. */
async function seek(channel: Channel, { to, text, lost }: Sought, tools: DeliveryTools): Promise<ChannelReceipt> {
  const { clock, signal } = tools;
  const startedAt = clock.elapsed();
  let absentSince: number | null = null;
  for (;;) {
    // Before the look: what ends after it may have taken the text in between.
    const isGone = lost !== null && !to.isBusy && (await channel.isGone(to));
    const found = await channel.holds(to, text).catch((error: unknown) => wordsOf(error));
    const now = clock.elapsed();
    if (found === true) {
      const evidence = 'the conversation holds it';
      return to.isBusy ? { kind: 'queued', evidence } : { kind: 'taken', to, evidence };
    }
    // A text that joins a turn stands in the conversation only after the model's present step.
    if (found === false && lost === null && to.isBusy)
      return { kind: 'queued', evidence: 'the program accepted it into its turn' };
    if (found === false && lost?.isRefused === true) return { kind: 'closed', why: lost.why };
    absentSince = found === false && isGone ? (absentSince ?? now) : null;
    if (lost !== null && absentSince !== null && now - absentSince >= ABSENT_MS)
      return { kind: 'closed', why: lost.why };
    if (now - startedAt >= (lost === null ? RECEIPT_MS : LOST_MS)) return { kind: 'unknown', why: whyOf(lost, found) };
    if (signal.aborted) return { kind: 'unknown', why: 'its time ran out before the conversation held it' };
    await pause(clock, CHECK_EVERY_MS, signal);
  }
}

function whyOf(lost: Sought['lost'], found: string | false): string {
  if (lost !== null) return `${lost.why}; its program may still take it`;
  return found === false ? 'it was accepted, and the conversation lacks it' : found;
}

function wordsOf(error: unknown): string {
  return messageOf(error);
}
