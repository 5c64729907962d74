/** Delivers a text by a channel, and never guesses: what was not acknowledged is looked for in the conversation (H1 to H3). */
import type { Clock } from '../ports.ts';
import { pause } from '../time.ts';
import { ChannelError, type Channel, type ChannelReceipt, type ChannelText, type SentTo } from './channel.ts';

/** Milliseconds in which an acknowledged text must stand in the conversation. */
const RECEIPT_MS = 10_000;
/** Milliseconds for which a conversation must lack a text that was not acknowledged before it counts as never taken. */
const ABSENT_MS = 2_000;
/** Milliseconds in which a program must answer again after it was lost; its server is started again within a second. */
const BACK_MS = 6_000;
const CHECK_EVERY_MS = 10;

interface DeliveryTools {
  readonly clock: Clock;
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
      return { kind: 'taken', evidence: 'the conversation holds it: an earlier attempt was taken after all' };
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

async function seek(channel: Channel, { to, text, lost }: Sought, tools: DeliveryTools): Promise<ChannelReceipt> {
  const { clock, signal } = tools;
  const startedAt = clock.elapsed();
  let answeredAt = startedAt;
  let absentSince: number | null = null;
  for (;;) {
    const found = await channel.holds(to, text).catch((error: unknown) => wordsOf(error));
    const now = clock.elapsed();
    if (found === true) return { kind: to.isBusy ? 'queued' : 'taken', evidence: 'the conversation holds it' };
    if (found === false) answeredAt = now;
    absentSince = found === false ? (absentSince ?? now) : null;
    if (lost === null) {
      // A text that joins a turn stands in the conversation only after the model's present step.
      if (to.isBusy && found === false) return { kind: 'queued', evidence: 'the program accepted it into its turn' };
      if (now - startedAt >= RECEIPT_MS)
        return { kind: 'unknown', why: 'it was accepted, and the conversation lacks it' };
    } else if (absentSince !== null && (lost.isRefused || now - absentSince >= ABSENT_MS)) {
      const isOpen = to.isBusy && !lost.isRefused;
      return isOpen ? { kind: 'unknown', why: `${lost.why}; a turn was under way` } : { kind: 'closed', why: lost.why };
    }
    if (now - answeredAt >= BACK_MS) return { kind: 'unknown', why: lost?.why ?? String(found) };
    if (signal.aborted) return { kind: 'unknown', why: 'its time ran out before the conversation held it' };
    await pause(clock, CHECK_EVERY_MS, signal);
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
