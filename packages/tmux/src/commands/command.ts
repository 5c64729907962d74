/** How is a tmux command written so that no byte of its arguments is misread? */
import { invariant } from '../errors.ts';

/** A tmux command: its name, then its arguments, each exactly as tmux shall receive it. */
export type Command = readonly [name: string, ...args: string[]];

/** Commands that run one after another without anything between; an error ends the chain. */
export type Chain = readonly Command[];

/**
 * Characters that tmux's parser would take for its own inside double quotes, and control characters.
 * They travel as three octal digits, so that a line stays a line whatever it carries.
 */
// oxlint-disable-next-line no-control-regex
const SPECIAL = /[\u0000-\u001f\u007f"\\$#~`]/;
const EACH_SPECIAL = new RegExp(SPECIAL, 'g');

/** One chain as one line for tmux's parser, without the line's end. */
export function renderChain(chain: Chain): string {
  invariant(chain.length > 0, 'a chain needs a command: an empty line would detach the client');
  return chain.map(([name, ...args]) => [name, ...args.map(quote)].join(' ')).join(' ; ');
}

/** A chain that runs only if the format `condition` is true for the pane, decided without a pause. */
export function runIf(
  paneId: string,
  condition: string,
  { run, otherwise }: { readonly run: Chain; readonly otherwise: Chain },
): Command {
  return ['if-shell', '-F', '-t', paneId, condition, renderChain(run), renderChain(otherwise)];
}

/** Text that a tmux format shall print as it is: `#` starts a format and is doubled. */
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
