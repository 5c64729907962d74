/** Stops an agent by its channel, or presses the keys of its profile, each onto a screen that shows it at work, until it has shown for a while that it is at rest. */
import { pause } from '@drover/base';
import { isAtWork, type AgentState, type Command, type CommandResult } from '@drover/core';
import type { Pane } from '../../../panes/pane.ts';
import type { PaneHands } from '../../../panes/servers.ts';
import { ON_PANE, type KnownCommands } from '../../known.ts';
import type { AnswerContext } from '../../tools.ts';
import { addressOf } from '../open.ts';

/** The executor's entry for `interrupt`. */
export const INTERRUPT = {
  interrupt: { ...ON_PANE, carryOut: interrupt },
} satisfies KnownCommands;

/** Times that all keys of the profile are pressed. */
const ROUNDS_MAX = 2;
/** Milliseconds in which an agent must stop after the last of its keys, and in which one of several must show. */
const STOPS_MS = 5_000;
const KEY_MS = 400;
const CHECK_EVERY_MS = 100;

type Interrupt = Extract<Command, { kind: 'interrupt' }>;
/** `unclear`: a screen that shows neither work nor rest. `ended`: the program has ended, and rests for ever. */
type Seen = 'at-work' | 'at-rest' | 'unclear' | 'ended';

interface Parts {
  readonly context: AnswerContext;
  readonly command: Interrupt;
  readonly pane: Pane;
  readonly hands: PaneHands;
}

/** Answers `at-rest` when nothing is under way in the pane. An agent that is at rest already gets no key. */
export async function interrupt(context: AnswerContext, command: Interrupt): Promise<CommandResult> {
  const pane = await context.panes.at(addressOf(command.incarnation));
  if (pane === undefined) return { kind: 'pane-gone' };
  return pane.withHands((hands) => bringToRest({ context, command, pane, hands }));
}

async function bringToRest(parts: Parts): Promise<CommandResult> {
  const { context, command, pane, hands } = parts;
  const { clock, signal, profiles, settings } = context;
  const { profile } = profiles.of(settings);
  const { interrupt: keys } = profile.typing;
  const until = clock.elapsed() + command.standsMs + (ROUNDS_MAX + 1) * STOPS_MS;
  let pressed = 0;
  let nextKeyAt = 0;
  let mayAsk = true;
  let restsSince: number | null = null;
  for (;;) {
    const shown = await pane.see(profile);
    if (shown === null) return { kind: 'pane-gone' };
    const seen = judge(shown.reading.state);
    const now = clock.elapsed();
    if (seen === 'ended') return { kind: 'at-rest', pressed };
    restsSince = seen === 'at-rest' ? (restsSince ?? now) : null;
    if (restsSince !== null && now - restsSince >= command.standsMs) return { kind: 'at-rest', pressed };
    if (now >= until || signal.aborted) return inVain(seen, pressed);
    if (seen === 'at-work' && mayAsk) {
      mayAsk = false;
      // By its channel a program ends its turn in milliseconds; else the keys follow.
      const channel = await context.channels.of(command.incarnation);
      if ((await channel?.interrupt().catch(() => false)) === true) nextKeyAt = clock.elapsed() + STOPS_MS;
    }
    if (seen === 'at-work' && clock.elapsed() >= nextKeyAt) {
      const key = keys[pressed % keys.length];
      if (key === undefined || pressed >= ROUNDS_MAX * keys.length) return inVain(seen, pressed);
      if ((await hands.pressKeys([key])).kind !== 'sent') return { kind: 'pane-gone' };
      pressed += 1;
      nextKeyAt = now + (pressed % keys.length === 0 ? STOPS_MS : KEY_MS);
    }
    await pause(clock, CHECK_EVERY_MS, signal);
  }
}

/**
 * Judges a screen. A question ends with its turn; an error that the agent does not wait out by itself has ended the turn already. A program that
 * asks for trust has no turn, and may keep an Escape as a lasting no.
 */
function judge(state: AgentState): Seen {
  if (state.kind === 'dialog' && state.dialog.trust !== undefined) return 'at-rest';
  if (isAtWork(state) || 'dialog' in state) return 'at-work';
  switch (state.kind) {
    case 'ready':
    case 'error':
      return 'at-rest';
    case 'exited':
      return 'ended';
    default:
      return 'unclear';
  }
}

function inVain(seen: Seen, pressed: number): CommandResult {
  const what = seen === 'unclear' ? 'its screen cannot be read' : 'it goes on';
  return { kind: 'not-interrupted', why: `${what} after ${pressed} key(s)` };
}
