// Paints the animated panes: screens of the real Claude Code as they were recorded, with a line that moves.
import { captureOf } from '../../packages/screen/tests/captures.ts';
import type { AnimatorPlan } from './animator.ts';

/** Columns and rows of the recorded screens, and so of the panes. */
export const SIZE = { width: 220, height: 50 };

/** An agent that is ready after a long answer, and one that runs a command; each full of text and colours. */
const READY = 'claude/answered-long-scrolled-220';
const PROCESSING = 'claude/bash-running-2-220';

/** Alternating states, each with its number in the second row; a frame changes the fourth row and does not move the cursor. */
export const SHOWN: Pick<AnimatorPlan, 'states' | 'frame'> = {
  states: [READY, PROCESSING].map(painted),
  frame: '\u001b7\u001b[4;1H\u001b[33m{n}\u001b[0m lines were printed \u001b8',
};

/** Kinds that `detect` gives the looks, in their order. */
export const KINDS = ['ready', 'processing'] as const;

function painted(name: string): string {
  const { ansi, file } = captureOf(name);
  const rows = ansi.split('\n').slice(0, SIZE.height).join('\r\n');
  const cursorRow = Number(file.cursor_y) + 1;
  const title = `\u001b]2;${file.pane_title}\u001b\\`;
  return `${title}\u001b[?1049h\u001b[H\u001b[2J${rows}\u001b[2;1HSTATE {n} \u001b[${cursorRow};3H`;
}
