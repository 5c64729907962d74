/** Tells how the turn ended that made the agent ready. */
import type { Profile } from './profile/schema.ts';
import { firstSeen, rowsIn, withoutAside } from './regions.ts';
import type { View } from './regions.ts';

/** `fresh`: no prompt on the screen; `interrupted`: it says so; `asked`: its last words are a question; else `completed`. */
export function readyAfter(profile: Profile, view: View): 'fresh' | 'completed' | 'asked' | 'interrupted' {
  if (firstSeen(view, profile.screen.interrupted) !== null) return 'interrupted';
  const lines = lastAnswer(profile, view);
  if (lines.at(-1)?.endsWith('?') === true) return 'asked';
  return view.turn < 0 && lines.length === 0 ? 'fresh' : 'completed';
}

/** The lines of the last answer of the turn, without blank ones. */
function lastAnswer(profile: Profile, view: View): string[] {
  const { answer, block } = profile.screen;
  const rows = rowsIn(view, 'turn');
  const start = rows.findLastIndex((row) => answer.test(row.text));
  if (start < 0) return [];
  const after = rows.slice(start + 1).findIndex((row) => block.test(row.text));
  const end = after < 0 ? rows.length : start + 1 + after;
  return rows
    .slice(start, end)
    .map((row) => withoutAside(profile, row.text))
    .filter((text) => text !== '');
}
