// Parses the bytes of the terminal into keys: UTF-8, escape sequences and bracketed pastes, whole or cut anywhere.

/** A key with a name; `newline` is Ctrl-J or Alt-Enter, which never submits. */
export type KeyName =
  | 'enter'
  | 'newline'
  | 'escape'
  | 'tab'
  | 'shift-tab'
  | 'backspace'
  | 'delete'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'ctrl-c'
  | 'ctrl-d'
  | 'ctrl-u'
  | 'ctrl-w';

/** Act of a person or a program at the keyboard. */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'named'; readonly name: KeyName };

const PASTE_START = '\u001B[200~';
const PASTE_END = '\u001B[201~';
const ESCAPE = '\u001B';

const SEQUENCES: ReadonlyMap<string, KeyName> = new Map([
  ['[A', 'up'],
  ['[B', 'down'],
  ['[C', 'right'],
  ['[D', 'left'],
  ['OA', 'up'],
  ['OB', 'down'],
  ['OC', 'right'],
  ['OD', 'left'],
  ['[H', 'home'],
  ['[F', 'end'],
  ['OH', 'home'],
  ['OF', 'end'],
  ['[1~', 'home'],
  ['[4~', 'end'],
  ['[3~', 'delete'],
  ['[Z', 'shift-tab'],
]);

const CONTROLS: ReadonlyMap<string, KeyName> = new Map([
  ['\r', 'enter'],
  ['\n', 'newline'],
  ['\t', 'tab'],
  ['\u007F', 'backspace'],
  ['\b', 'backspace'],
  ['\u0001', 'home'],
  ['\u0003', 'ctrl-c'],
  ['\u0004', 'ctrl-d'],
  ['\u0005', 'end'],
  ['\u0015', 'ctrl-u'],
  ['\u0017', 'ctrl-w'],
]);

/* oxlint-disable no-control-regex -- a terminal's input is made of control characters */
/** A whole control sequence (CSI or SS3) at the start of the text. */
const WHOLE_SEQUENCE = /^\u001B(\[[0-9;?<>=]*[ -/]*[@-~]|O[A-Za-z])/;
/** A control sequence whose end has not come yet. */
const CUT_SEQUENCE = /^\u001B(\[[0-9;?<>=]*[ -/]*|O)?$/;
/** A run of characters that are not controls. */
const PLAIN_RUN = /^[^\u0000-\u001F\u007F]+/;
/** Characters that the program silently drops from text: controls other than newline and tab, and the zero-width space. */
const DROPPED = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B]/g;
/* oxlint-enable no-control-regex */

/**
 * Turns reads of a terminal into keys and keeps what a read cut off until the next one.
 * A lone Escape stays pending, because it may begin a sequence: call `flush` when no byte followed for a while.
 */
export class KeyDecoder {
  readonly #utf8 = new TextDecoder();
  #pending = '';
  #paste: string[] | undefined;

  /** Tells whether a lone Escape, or the start of a sequence, waits for its next byte. */
  get waiting(): boolean {
    return this.#paste === undefined && this.#pending !== '';
  }

  /** @returns the keys of one read, in order. Text that arrived in one read and nothing else between stays one key. */
  feed(bytes: Uint8Array): Key[] {
    this.#pending += this.#utf8.decode(bytes, { stream: true });
    const keys: Key[] = [];
    while (this.#pending !== '') {
      const before = this.#pending;
      const key = this.#paste === undefined ? this.#nextKey() : this.#nextPaste(this.#paste);
      if (key !== undefined) keys.push(key);
      else if (this.#pending === before) break;
    }
    return keys;
  }

  /** Gives up waiting: a pending Escape was the Escape key, the rest of an unfinished sequence is dropped. */
  flush(): Key[] {
    if (!this.waiting) return [];
    this.#pending = '';
    return [{ kind: 'named', name: 'escape' }];
  }

  #nextPaste(parts: string[]): Key | undefined {
    const end = this.#pending.indexOf(PASTE_END);
    if (end === -1) {
      const keep = cutTail(this.#pending, PASTE_END);
      parts.push(this.#take(this.#pending.length - keep));
      return undefined;
    }
    parts.push(this.#take(end));
    this.#take(PASTE_END.length);
    this.#paste = undefined;
    return { kind: 'paste', text: pasted(parts.join('')) };
  }

  #nextKey(): Key | undefined {
    const head = this.#pending.charAt(0);
    if (head === ESCAPE) return this.#nextSequence();
    const control = CONTROLS.get(head);
    if (control !== undefined) {
      this.#take(1);
      return { kind: 'named', name: control };
    }
    const run = PLAIN_RUN.exec(this.#pending)?.[0];
    const text = this.#take(run?.length ?? 1).replaceAll(DROPPED, '');
    return text === '' ? undefined : { kind: 'text', text };
  }

  #nextSequence(): Key | undefined {
    if (this.#pending.startsWith(PASTE_START)) {
      this.#take(PASTE_START.length);
      this.#paste = [];
      return undefined;
    }
    if (CUT_SEQUENCE.test(this.#pending)) return undefined;
    const sequence = WHOLE_SEQUENCE.exec(this.#pending)?.[0];
    if (sequence !== undefined) {
      const name = SEQUENCES.get(this.#take(sequence.length).slice(1));
      return name === undefined ? undefined : { kind: 'named', name };
    }
    this.#take(1);
    if (this.#pending.startsWith('\r')) {
      this.#take(1);
      return { kind: 'named', name: 'newline' };
    }
    return { kind: 'named', name: 'escape' };
  }

  #take(length: number): string {
    const taken = this.#pending.slice(0, length);
    this.#pending = this.#pending.slice(length);
    return taken;
  }
}

/** Length of the longest end of `text` that is a beginning of `marker`: it may be the marker, cut by the read. */
function cutTail(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length -= 1) {
    if (marker.startsWith(text.slice(-length))) return length;
  }
  return 0;
}

/** A terminal sends line ends in a paste as carriage returns; a CRLF therefore arrives as two line ends. */
function pasted(raw: string): string {
  return raw.replaceAll('\r', '\n').replaceAll(DROPPED, '');
}
