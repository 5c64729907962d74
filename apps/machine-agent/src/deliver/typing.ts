/** Plans the form and the method in which a text is typed. Pure; the profile's data decide. */
import type { Command } from '@drover/core';
import { PROMPT_BYTES_MAX } from '@drover/protocol';
import type { Profile } from '@drover/screen';
import { sendable } from '@drover/tmux';

/** Most characters that are pasted in pieces; a real program took 40 pieces in half a second and 170 in two. */
const PIECES_CHARS_MAX = 12_000;
/** Share of the size from which a paste is altered that a piece may have: the limit was measured only roughly. */
const PIECE_SHARE = 0.85;
/** Pieces for profiles that name none. Source: docs/agents.md, typing into them. */
const DEFAULT_CHUNKS = { multiLineChars: 60, singleLineChars: 500, gapMs: 20 };
/** Milliseconds before Enter after typed pieces: programs take a burst of keys for a paste. Measured: 100 lost none. */
const TYPED_SETTLE_MS = 120;
/** Words that a program would carry out as its own command. */
const COMMAND = /^\s*\/[A-Za-z][\w:-]*(?=\s|$)/u;

/** Method by which a text gets into the box. */
type Typing =
  | { readonly kind: 'paste' }
  /** Pasted in pieces, each too small for the program to alter. */
  | { readonly kind: 'pieces'; readonly pieces: readonly string[] }
  | { readonly kind: 'keys'; readonly chunk: number; readonly gapMs: number };

/** Plan for typing a text. */
export type TypingPlan =
  | {
      readonly kind: 'type';
      readonly text: string;
      readonly how: Typing;
      /** Milliseconds between seeing the text and Enter. */
      readonly settleMs: number;
    }
  | { readonly kind: 'too-long'; readonly bytes: number }
  /** Not typed: the program would carry it out, or wrap it, so that the model would not receive it unchanged. A file holds it instead. */
  | { readonly kind: 'file'; readonly why: string };

type Deliver = Extract<Command, { kind: 'deliver' }>;

/** Plans how a text is typed: by the command's own method, else by the profile's method for texts of its size. */
export function planTyping(
  profile: Profile,
  { text: wanted, method, settleMs }: Pick<Deliver, 'text' | 'method' | 'settleMs'>,
): TypingPlan {
  const bytes = Buffer.byteLength(wanted);
  if (bytes > PROMPT_BYTES_MAX) return { kind: 'too-long', bytes };
  const text = normalised(profile, wanted);
  const why = whyNotTyped(profile, text);
  if (why !== null) return { kind: 'file', why };
  const byKeys = method === 'typed' || (method === 'profile' && profile.typing.method === 'keys');
  if (!byKeys) {
    const how = method === 'profile' ? pasting(profile, text) : ({ kind: 'paste' } as const);
    return { kind: 'type', text, how, settleMs: Math.max(settleMs, profile.typing.settleMs) };
  }
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

/** Reason not to type the text. @returns null when there is a way to type it so that the model receives it unchanged. */
function whyNotTyped({ name, typing }: Profile, text: string): string | null {
  const { leading, collapse } = typing;
  const start = text.trimStart();
  const special = leading.find(({ char, spaceHelps }) => !spaceHelps && start.startsWith(char));
  // A path begins with `/` too, and is no command.
  const isCommand = special !== undefined && (special.char !== '/' || COMMAND.test(text));
  if (isCommand) return `${name} takes a leading "${special.char}" for its own: ${special.means}`;
  const isAltered = collapse !== null && !collapse.verbatim && text.length > PIECES_CHARS_MAX;
  return isAltered ? `${name} would wrap a text of ${text.length} characters` : null;
}

/**
 * Plans one paste; or several, where a paste of this size would reach the model altered. Measured on Claude Code 2.1.330: a text pasted in
 * pieces below its limits arrives verbatim (44 of 44 texts up to 12 KB), and Enter counts at once. Keys in bursts are taken for a paste, and
 * so need pauses that a paste does not.
 */
export function pasting({ typing: { collapse } }: Profile, text: string): Typing {
  if (collapse === null || collapse.verbatim) return { kind: 'paste' };
  const isSmall = text.length <= collapse.chars && text.split('\n').length < collapse.lines;
  if (isSmall) return { kind: 'paste' };
  const limits = { chars: Math.floor(collapse.chars * PIECE_SHARE), breaks: Math.max(0, collapse.lines - 2) };
  return { kind: 'pieces', pieces: cut(text, limits) };
}

/** Cuts a text into pieces of at most so many characters (UTF-16) and line breaks, never within a character. */
function cut(text: string, { chars, breaks }: { chars: number; breaks: number }): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let held = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const isBreak = segment === '\n';
    if (piece !== '' && (piece.length + segment.length > chars || (isBreak && held === breaks))) {
      pieces.push(piece);
      piece = '';
      held = 0;
    }
    piece += segment;
    if (isBreak) held += 1;
  }
  return [...pieces, piece];
}

/** Takes away everything that would change meaning on the way: control characters, line ends, special first and last characters. */
function normalised({ typing }: Profile, wanted: string): string {
  const text = sendable(wanted).replace(/(?<!\n)\n+$/u, '');
  const special = typing.leading.some(({ char, spaceHelps }) => spaceHelps && text.startsWith(char));
  // A backslash at the end makes a line break of Enter.
  const tail = text.endsWith('\\') ? ' ' : '';
  return `${special ? ' ' : ''}${text}${tail}`;
}
