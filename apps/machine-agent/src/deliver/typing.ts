/** In which form and by which method is a text typed? Pure; the profile's data decide. */
import type { Op } from '@drover/core';
import { PROMPT_BYTES_MAX } from '@drover/protocol';
import type { Profile } from '@drover/screen';
import { sendable } from '@drover/tmux';

/** Characters that are typed in pieces at most; at 60 characters each 20 ms more would take over four seconds. */
const TYPED_CHARS_MAX = 12_000;
/** Pieces for profiles that name none. Source: docs/agents.md, typing into them. */
const DEFAULT_CHUNKS = { multiLineChars: 60, singleLineChars: 500, gapMs: 20 };
/** Milliseconds before Enter after typed pieces: programs take a burst of keys for a paste. Measured: 100 lost none. */
const TYPED_SETTLE_MS = 120;
/** Words that a program would carry out as a command of its own. */
const COMMAND = /^\s*\/[A-Za-z][\w:-]*(?=\s|$)/u;

/** How a text is typed. */
export type TypingPlan =
  | {
      readonly kind: 'type';
      readonly text: string;
      readonly how:
        | { readonly kind: 'paste' }
        | { readonly kind: 'keys'; readonly chunk: number; readonly gapMs: number };
      /** Milliseconds between seeing the text and Enter. */
      readonly settleMs: number;
    }
  | { readonly kind: 'too-long'; readonly bytes: number }
  /** The program would run it instead of reading it, and nothing prevents that. */
  | { readonly kind: 'command'; readonly word: string };

type Deliver = Extract<Op, { kind: 'deliver' }>;

/** Plans how a text is typed: by the order's own method, else by what the profile says of texts of its size. */
export function planTyping(
  profile: Profile,
  { text: wanted, method, settleMs }: Pick<Deliver, 'text' | 'method' | 'settleMs'>,
): TypingPlan {
  const bytes = Buffer.byteLength(wanted);
  if (bytes > PROMPT_BYTES_MAX) return { kind: 'too-long', bytes };
  const text = normalised(profile, wanted);
  const command = COMMAND.exec(text)?.[0];
  const isSpecial = profile.typing.leading.some(({ char, spaceHelps }) => char === '/' && !spaceHelps);
  if (command !== undefined && isSpecial) return { kind: 'command', word: command.trim() };
  const byKeys = method === 'typed' || (method === 'profile' && typesByKeys(profile, text));
  if (!byKeys)
    return { kind: 'type', text, how: { kind: 'paste' }, settleMs: Math.max(settleMs, profile.typing.settleMs) };
  const { multiLineChars, singleLineChars, gapMs } = profile.typing.chunks ?? DEFAULT_CHUNKS;
  const chunk = text.includes('\n') ? multiLineChars : singleLineChars;
  return {
    kind: 'type',
    // A typed tab is a key that completes or moves; four spaces say the same.
    text: text.replaceAll('\t', '    '),
    how: { kind: 'keys', chunk, gapMs },
    settleMs: Math.max(settleMs, profile.typing.settleMs, TYPED_SETTLE_MS),
  };
}

/** Keys where the profile wants them, or where a paste would reach the model altered. */
function typesByKeys({ typing }: Profile, text: string): boolean {
  if (typing.method === 'keys') return true;
  const { collapse, chunks } = typing;
  if (collapse === null || collapse.verbatim || chunks === null || text.length > TYPED_CHARS_MAX) return false;
  return text.length > collapse.chars || text.split('\n').length >= collapse.lines;
}

/** Takes away what would change meaning on the way: control characters, line ends, special first and last characters. */
function normalised({ typing }: Profile, wanted: string): string {
  const text = sendable(wanted).replace(/\n+$/u, '');
  const special = typing.leading.some(({ char, spaceHelps }) => spaceHelps && text.startsWith(char));
  // A backslash at the end makes a line break of Enter.
  const tail = text.endsWith('\\') ? ' ' : '';
  return `${special ? ' ' : ''}${text}${tail}`;
}
