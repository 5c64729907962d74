/** Parses input at a relayed terminal: keys, pastes, and the keys that leave it, as in tmux. */

/** A parsed input. */
export type Typed =
  | { readonly kind: 'keys'; readonly bytes: Uint8Array }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'leave' };

const PREFIX = '\u0002';
const PASTE = '\u001b[200~';
const PASTE_END = '\u001b[201~';
/** Bytes of an unfinished paste, after which it counts as ended. */
const PASTE_BYTES_MAX = 1_048_576;

/** Reads input of a terminal in raw mode that marks pastes; joins marks that were cut between two reads. */
export class Keyboard {
  /** Unparsed input, a character for each byte. */
  #rest = '';
  #afterPrefix = false;
  #paste: string | null = null;

  /** Parses bytes. `Ctrl-b d` leaves; `Ctrl-b Ctrl-b` is a `Ctrl-b`; any other key after `Ctrl-b` does nothing. */
  read(bytes: Uint8Array): readonly Typed[] {
    let text = this.#rest + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    this.#rest = '';
    const typed: Typed[] = [];
    while (text !== '') text = this.#paste === null ? this.#readKeys(text, typed) : this.#readPaste(text, typed);
    return typed;
  }

  /** @returns the unparsed rest. */
  #readKeys(text: string, typed: Typed[]): string {
    if (this.#afterPrefix) {
      this.#afterPrefix = false;
      const [key = ''] = text;
      if (key === 'd') typed.push({ kind: 'leave' });
      if (key === PREFIX) typed.push(keys(PREFIX));
      return text.slice(1);
    }
    const prefix = text.indexOf(PREFIX);
    const paste = text.indexOf(PASTE);
    const ends = [prefix, paste].filter((at) => at !== -1);
    const end = ends.length === 0 ? text.length - cutMark(text, PASTE) : Math.min(...ends);
    if (end > 0) typed.push(keys(text.slice(0, end)));
    if (ends.length === 0) {
      this.#rest = text.slice(end);
      return '';
    }
    if (end === prefix) this.#afterPrefix = true;
    else this.#paste = '';
    return text.slice(end + (end === prefix ? PREFIX.length : PASTE.length));
  }

  #readPaste(text: string, typed: Typed[]): string {
    const all = (this.#paste ?? '') + text;
    const end = all.indexOf(PASTE_END);
    if (end === -1 && all.length < PASTE_BYTES_MAX) {
      this.#paste = all;
      return '';
    }
    this.#paste = null;
    const pasted = Buffer.from(end === -1 ? all : all.slice(0, end), 'latin1').toString('utf8');
    if (pasted !== '') typed.push({ kind: 'paste', text: pasted });
    return end === -1 ? '' : all.slice(end + PASTE_END.length);
  }
}

/** Counts characters at the end that may begin a mark: three at least, because an Escape alone is a key. */
function cutMark(text: string, mark: string): number {
  for (let length = mark.length - 1; length >= 3; length -= 1) if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}

function keys(text: string): Typed {
  return { kind: 'keys', bytes: Buffer.from(text, 'latin1') };
}
