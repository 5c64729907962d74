/** `drover logs --pane --follow`: prints a terminal as text, for as long as somebody looks. */
import type { ScreenMessage } from '@drover/protocol';
import { parseAnsi } from '@drover/screen';
import { ask } from '../../../client/client.ts';
import { openTerminalLine, type TerminalLine } from '../../../client/terminal-line.ts';
import { CommandError } from '../../../exit-codes.ts';
import type { Surroundings } from '../../../surroundings.ts';
import { untilSignalled } from '../../../processes/until-signalled.ts';
import { openScreen } from '../../../terminal/screen.ts';
import { clockTime, plain } from '../../../terminal/style.ts';

/** Milliseconds that a screen must stay unchanged before it is printed on output that cannot be redrawn: less would print half a screen. */
const SETTLED_MS = 1_000;
/** Milliseconds between two polls if no stream is available. */
const ASK_EVERY_MS = 2_000;
/** Rows of a polled answer: those of a screen. */
const ASKED_ROWS = 200;
/** Milliseconds for which a lost connection is retried, and the pause between two tries. */
const PATIENCE_MS = 60_000;
const AGAIN_MS = 1_000;

/** Shows consecutive screens. */
type Show = (rows: readonly string[]) => void;

/** Runs until Ctrl-C, or until the session ends. @throws {CommandError} with the reason for a failure. */
export async function followPane(surroundings: Surroundings, name: string): Promise<void> {
  const { terminal } = surroundings;
  if (!terminal.interactive || terminal.json)
    return followInto(surroundings, { name, signal: NEVER }, printer(surroundings));
  const ending = untilSignalled();
  using screen = openScreen(terminal);
  const following = followInto(surroundings, { name, signal: ending.signal }, (rows) => {
    // The end of a terminal matters most.
    const shown = rows.slice(-(terminal.rows - 1));
    screen.draw([`${plain(name)}, ${clockTime(surroundings.now())}; Ctrl-C ends`, ...shown].join('\n'));
  });
  try {
    await Promise.race([following, ending.asked]);
  } finally {
    ending.end();
  }
}

/** A signal that never fires: a signal of the process ends the command. */
const NEVER = new AbortController().signal;

interface Wanted {
  readonly name: string;
  readonly signal: AbortSignal;
}

async function followInto(surroundings: Surroundings, { name, signal }: Wanted, show: Show): Promise<void> {
  let lostAt: number | null = null;
  while (!signal.aborted) {
    const outcome = await watchOnce(surroundings, { name, signal }, { show, onShown: () => (lostAt = null) });
    if (signal.aborted) return undefined;
    if (outcome === 'no-stream') return askAgain(surroundings, { name, signal }, show);
    if (outcome !== 'lost')
      throw new CommandError('refused', `The terminal of ${plain(name)} has ended: ${outcome.message}`);
    lostAt ??= surroundings.now();
    if (surroundings.now() - lostAt > PATIENCE_MS)
      throw new CommandError('unreachable', 'The coordinator no longer answers');
    await surroundings.sleep(AGAIN_MS, signal);
  }
  return undefined;
}

/** Last words after which another connection helps, and those after which only polling does. */
const PASSING: ReadonlySet<string> = new Set(['lost', 'stopping', 'no-answer', 'not-connected']);

async function watchOnce(
  surroundings: Surroundings,
  { name, signal }: Wanted,
  { show, onShown }: { readonly show: Show; readonly onShown: () => void },
): Promise<'lost' | 'no-stream' | { readonly message: string }> {
  const rows: string[] = [];
  const wires: { line?: TerminalLine } = {};
  const seen: number[] = [];
  const take = (message: ScreenMessage): void => {
    if (message.kind !== 'frame') return;
    rows.length = message.rows;
    for (const [row, text] of message.changed) if (row < message.rows) rows[row] = parseAnsi(text)[0]?.text ?? '';
    show(Array.from(rows, (row) => row ?? ''));
    onShown();
    if (wires.line === undefined) seen.push(message.frame);
    else wires.line.send({ kind: 'seen', frame: message.frame });
  };
  let line: TerminalLine;
  try {
    line = await openTerminalLine(surroundings, { name, types: false }, take);
  } catch (error) {
    if (!(error instanceof CommandError)) return 'no-stream';
    if (error.code === 'refused') return 'no-stream';
    if (error.code === 'unreachable') return 'lost';
    throw error;
  }
  wires.line = line;
  for (const frame of seen) line.send({ kind: 'seen', frame });
  const close = (): void => line.close();
  signal.addEventListener('abort', close);
  const last = await line.over;
  signal.removeEventListener('abort', close);
  if (last === null || PASSING.has(last.code)) return 'lost';
  return last.code === 'no-socket' ? 'no-stream' : last;
}

/** Polls the screen: slower, but works wherever a query to a machine does. */
async function askAgain(surroundings: Surroundings, { name, signal }: Wanted, show: Show): Promise<void> {
  while (!signal.aborted) {
    const { text } = await ask(surroundings, (client) => client.workers.pane.query({ name, lines: ASKED_ROWS }));
    show(text.split('\n'));
    await surroundings.sleep(ASK_EVERY_MS, signal);
  }
}

/** Prints each screen that stayed unchanged for a moment, under a line with its time. */
function printer(surroundings: Surroundings): Show {
  const { terminal } = surroundings;
  let printed = '';
  let latest = '';
  let cancel = new AbortController();
  return (rows) => {
    const text = rows.join('\n').trimEnd();
    if (text === latest) return;
    latest = text;
    cancel.abort();
    cancel = new AbortController();
    void printLater(cancel.signal);
  };

  async function printLater(signal: AbortSignal): Promise<void> {
    await surroundings.sleep(SETTLED_MS, signal);
    if (signal.aborted || latest === printed) return;
    printed = latest;
    const at = surroundings.now();
    terminal.out(terminal.json ? JSON.stringify({ at, text: latest }) : `--- ${clockTime(at)}\n${latest}`);
  }
}
