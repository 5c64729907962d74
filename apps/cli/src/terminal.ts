/** How do commands print? Data to stdout, words about it to stderr, colours only on a terminal. */
import type { Environment } from '@drover/config';

export interface Terminal {
  /** Whether data is wanted as JSON. */
  readonly json: boolean;
  readonly colours: boolean;
  /** Whether stdout is a terminal that can be redrawn. */
  readonly interactive: boolean;
  readonly columns: number;
  /** One line, or several, of what was asked for. */
  out(text: string): void;
  /** Words about what is going on. */
  err(text: string): void;
  /** Prints without a line end, for redrawing. */
  raw(text: string): void;
}

/** The process's own terminal. */
export function systemTerminal(environment: Environment, { json }: { json: boolean }): Terminal {
  const { stdout, stderr } = process;
  const forced = environment.variables['FORCE_COLOR'] !== undefined && environment.variables['FORCE_COLOR'] !== '0';
  return {
    json,
    colours: !environment.noColor && !json && (forced || stdout.isTTY),
    interactive: stdout.isTTY,
    columns: stdout.columns ?? 120,
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    raw: (text) => void stdout.write(text),
  };
}
