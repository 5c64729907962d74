/** Writes the facts of a pane as tmux names them: the form of a recorded screen. */
import type { PaneState } from './facts.ts';
import { signalNumber } from './signal-names.ts';

/** Facts under the names that tmux gives them, as text; empty where there is none. */
export function factsAsText(facts: PaneState): Readonly<Record<string, string>> {
  return {
    pane_current_command: facts.currentCommand,
    pane_dead: facts.dead ? '1' : '0',
    pane_dead_status: facts.deadStatus === undefined ? '' : String(facts.deadStatus),
    pane_dead_signal: facts.deadSignal === undefined ? '' : String(signalNumber(facts.deadSignal) ?? ''),
    pane_title: facts.title,
    alternate_on: facts.alternate ? '1' : '0',
    history_size: String(facts.historySize),
    cursor_x: String(facts.cursor.x),
    cursor_y: String(facts.cursor.y),
    pane_width: String(facts.width),
    pane_height: String(facts.height),
  };
}
