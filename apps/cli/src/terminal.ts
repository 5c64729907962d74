/** How do commands print? Data to stdout, words about it to stderr, colours only on a terminal. */
import type { Environment } from '@drover/config/surroundings';

/** Where a command prints, and how. */
export interface Terminal {
  /** Whether data is wanted as JSON. */
  readonly json: boolean;
  readonly colours: boolean;
  /** Whether stdout is a terminal that can be redrawn. */
  readonly interactive: boolean;
  /** Width in columns: a table is cut there. */
  readonly columns: number;
  /** Height in rows. */
  readonly rows: number;
  /** One line, or several, of what was asked for. */
  out(text: string): void;
  /** Words about what is going on. */
  err(text: string): void;
  /** Prints without a line end, for redrawing. */
  raw(text: string): void;
}

/** Width of what is printed into a file or a pipe: nothing is cut there. */
const UNLIMITED = Number.POSITIVE_INFINITY;

/** The process's own terminal. */
export function systemTerminal(environment: Environment, { json }: { json: boolean }): Terminal {
  const out = process.stdout;
  const err = process.stderr;
  const { FORCE_COLOR: force, TERM: term } = environment.variables;
  const isForced = force !== undefined && force !== '0';
  return {
    json,
    colours: !environment.noColor && !json && (isForced || (out.isTTY && term !== 'dumb')),
    interactive: out.isTTY && term !== 'dumb',
    get columns() {
      return out.isTTY ? out.columns : UNLIMITED;
    },
    get rows() {
      return out.isTTY ? out.rows : UNLIMITED;
    },
    out: (text) => void out.write(`${text}\n`),
    err: (text) => void err.write(`${text}\n`),
    raw: (text) => void out.write(text),
  };
}
