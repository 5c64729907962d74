// Prints the demo: one line for each happening, with its time; colours only on a terminal.
import { styleText } from 'node:util';
import { showHidden } from '@drover/core/hidden-characters';

type Style = Parameters<typeof styleText>[0];

/** Meaning of a line, shown by its colour. */
export type Tone = 'plain' | 'good' | 'bad' | 'care';

const TONES: Readonly<Record<Tone, Style>> = { plain: 'reset', good: 'green', bad: 'red', care: 'yellow' };

/** Columns of the name in front of a happening. */
const NAME_WIDTH = 7;

/** Prints the demo. Times count from its making. */
export class Page {
  readonly #startedAt = Date.now();
  readonly #colours: boolean;
  readonly #write: (text: string) => void;

  constructor({ colours, write }: { colours: boolean; write: (text: string) => void }) {
    this.#colours = colours;
    this.#write = write;
  }

  /** The heading of a chapter. */
  chapter(title: string): void {
    this.#write(`\n${this.#paint('bold', title)}\n`);
  }

  /** A command, as a person would type it. */
  command(words: string, at = Date.now()): void {
    this.#line(at, `${this.#paint('dim', '$')} ${this.#paint('bold', words)}`);
  }

  /** Prints an event of a worker. */
  happened(who: string, text: string, { tone = 'plain', at = Date.now() }: { tone?: Tone; at?: number } = {}): void {
    this.#line(at, `${this.#paint('cyan', who.padEnd(NAME_WIDTH))} ${this.#paint(TONES[tone], text)}`);
  }

  /** Prints a command's output, indented. */
  quote(text: string): void {
    for (const line of text.split('\n')) this.#write(`${`            ${showHidden(line)}`.trimEnd()}\n`);
  }

  /** Text without a time. */
  text(text: string, tone: Tone = 'plain'): void {
    const lines = text.split('\n').map((line) => (line === '' ? '' : `  ${this.#paint(TONES[tone], line)}`));
    this.#write(`${lines.join('\n')}\n`);
  }

  /** Seconds since the demo began. */
  get elapsed(): string {
    return ((Date.now() - this.#startedAt) / 1_000).toFixed(0);
  }

  #line(at: number, text: string): void {
    const seconds = Math.max(0, (at - this.#startedAt) / 1_000).toFixed(1);
    this.#write(`${this.#paint('dim', `${seconds.padStart(6)} s`)}  ${text}\n`);
  }

  #paint(style: Style, text: string): string {
    const shown = showHidden(text);
    return this.#colours && style !== 'reset' ? styleText(style, shown, { validateStream: false }) : shown;
  }
}
