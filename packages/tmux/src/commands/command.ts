/** Writes a tmux command so that no byte of its arguments is misread. */
import { invariant } from '../errors.ts';

/** A tmux command: its name, then its arguments, each exactly as tmux shall receive it. */
export type Command = readonly [name: string, ...args: string[]];

/** Commands that run one after another without anything between; an error ends the chain. */
export type Chain = readonly Command[];

/**
 * Characters that tmux's parser would interpret inside double quotes, and control characters. Each travels as three octal digits, so that a
 * line stays a line whatever its arguments hold.
 */
// oxlint-disable-next-line no-control-regex
const SPECIAL = /[\u0000-\u001f\u007f"\\$#~`]/;
const EACH_SPECIAL = new RegExp(SPECIAL, 'g');

/** Renders a chain as one line for tmux's parser, without the line's end. */
export function renderChain(chain: Chain): string {
  invariant(chain.length > 0, 'a chain needs a command: an empty line would detach the client');
  return chain.map(([name, ...args]) => [name, ...args.map(quote)].join(' ')).join(' ; ');
}

/** Makes a chain that runs only if the format `condition` is true for the pane, decided in the same step. */
export function runIf(
  paneId: string,
  condition: string,
  { run, otherwise }: { readonly run: Chain; readonly otherwise: Chain },
): Command {
  return ['if-shell', '-F', '-t', paneId, condition, renderChain(run), renderChain(otherwise)];
}

/** Escapes text that a tmux format must print as it is: `#` starts a format and is doubled. */
export function literalInFormat(text: string): string {
  return text.replaceAll('#', '##');
}

function quote(argument: string): string {
  if (!SPECIAL.test(argument)) return `"${argument}"`; // most
  invariant(!argument.includes('\0'), 'a tmux argument cannot carry a NUL');
  return `"${argument.replaceAll(EACH_SPECIAL, octal)}"`;
}

function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
}
