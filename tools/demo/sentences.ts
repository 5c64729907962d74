// Turns an event of a worker's history into a sentence for a newcomer, or into nothing if it shows only Drover's own steps.
import type { EventView } from '@drover/api';
import type { Tone } from './page.ts';

/** A happening in words. */
export interface Told {
  readonly text: string;
  readonly tone: Tone;
}

type Teller = (event: EventView) => Told | null;

/** Tellers by the rule of the policy that fired; the first that fits speaks. */
const TELLERS: readonly (readonly [rule: string, Teller])[] = [
  [
    'prepared',
    ({ worker, from }) => (from === 'offline' ? plain(`has a git worktree and the branch drover/${worker}`) : null),
  ],
  // A worker that was idle before has nothing to do yet: its fresh session is no news.
  [
    'start-dialog:',
    ({ from }) => (from === 'idle' ? null : plain('shows a dialog at its start: answered as its profile says')),
  ],
  ['restore', (event) => good(`is ready again, in the same conversation: ${found(event, /recovered .*/u)}`)],
  [
    'came-up',
    ({ worker, from }) => (from === 'offline' ? plain(`waits for a task in the tmux session drover-${worker}`) : null),
  ],
  ['start', () => plain('idle → working')],
  ['taken:task', (event) => plain(`took the task: ${bytes(event)}, whole and once`)],
  ['taken:restored', (event) => plain(`took its task again, with a note that it was cut off: ${bytes(event)}`)],
  ['taken:rejection', (event) => plain(`took the feedback: ${bytes(event)}`)],
  ['exit:crash', (event) => care(`crash detected: ${found(event, /ended with .*/u)}; ${restart(event)}`)],
  ['command:respawn', () => plain('its program is started again in the same pane')],
  // A worker's checks come first: their consequences are reported.
  ['commit-found', (event) => (event.from === event.to ? null : good(moved(event)))],
  ['accept:merged', (event) => good(`${found(event, /merged as \w+/u)} into main`)],
  ['accept', () => plain('is put on the newest main as one commit, checked and merged …')],
  ['command:', ({ kind }) => (kind === 'default-branch-moved' ? plain('main moved: its work is checked on it') : null)],
];

/** @returns null for a step that only matters when something goes wrong. */
export function inWords(event: EventView): Told | null {
  const trouble = event.said.find((text) => text.startsWith('needs a person') || / failed: /u.test(text));
  if (trouble !== undefined) return { text: trouble, tone: 'bad' };
  for (const [rule, tell] of TELLERS) {
    const fits = event.rules.some((fired) => (rule.endsWith(':') ? fired.startsWith(rule) : fired === rule));
    const told = fits ? tell(event) : null;
    if (told !== null) return told;
  }
  return event.from === event.to ? null : plain(moved(event));
}

function plain(text: string): Told {
  return { text, tone: 'plain' };
}

function good(text: string): Told {
  return { text, tone: 'good' };
}

function care(text: string): Told {
  return { text, tone: 'care' };
}

function moved(event: EventView): string {
  return found(event, /^\w+ → \w+: .*/u);
}

function bytes(event: EventView): string {
  return found(event, /\d+ bytes/u);
}

function restart(event: EventView): string {
  return found(event, /restart in \d+ ms/u).replace(/(\d+) ms/u, (_, ms: string) => `${Number(ms) / 1_000} s`);
}

/** The part of what was said that fits. */
function found({ said }: EventView, pattern: RegExp): string {
  for (const text of said) {
    const part = pattern.exec(text)?.[0];
    if (part !== undefined) return part;
  }
  return said.at(-1) ?? '';
}
