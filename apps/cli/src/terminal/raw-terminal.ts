/** The person's terminal as a whole, for a program that paints all of it: its second screen, every key as it is typed, its size. */

/** Owns the terminal while open: nothing else may be printed. Disposing restores the terminal. */
export interface RawTerminal extends Disposable {
  readonly size: { readonly columns: number; readonly rows: number };
  /** Resolves when the terminal has taken the text. */
  write(text: string): Promise<void>;
}

/** Events at the terminal. */
export interface RawEvents {
  readonly onKeys: (bytes: Uint8Array) => void;
  readonly onResize: () => void;
  /** The person is gone, or asks the process to end. */
  readonly onEnd: () => void;
}

/** Sequence for the second screen, with marked pastes. */
const ENTER = '\u001b[?1049h\u001b[H\u001b[2J\u001b[?2004h';
const LEAVE = '\u001b[0m\u001b[?2004l\u001b[?25h\u001b[?1049l';
const SIGNALS = ['SIGTERM', 'SIGHUP'] as const;

/** Takes the terminal of this process. */
export function openRawTerminal({ onKeys, onResize, onEnd }: RawEvents): RawTerminal {
  const stdin = process.stdin;
  // oxlint-disable-next-line no-restricted-properties -- paints the whole terminal with what a painter made: text and colours alone
  const out = process.stdout;
  stdin.setRawMode(true);
  stdin.on('data', onKeys);
  stdin.on('end', onEnd);
  stdin.resume();
  out.on('resize', onResize);
  for (const signal of SIGNALS) process.on(signal, onEnd);
  out.write(ENTER);
  return {
    get size() {
      return { columns: out.columns, rows: out.rows };
    },
    write: (text) => new Promise((resolve) => void out.write(text, () => resolve())),
    [Symbol.dispose]: () => {
      out.write(LEAVE);
      for (const signal of SIGNALS) process.off(signal, onEnd);
      out.off('resize', onResize);
      stdin.off('data', onKeys);
      stdin.off('end', onEnd);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
