/** Stops an agent by its channel, or presses the keys of its profile, each onto a screen that shows it at work, until it has shown for a while that it is at rest. */
import { pause } from '@drover/base';
import { isAtWork, type AgentState, type Command, type CommandResult } from '@drover/core';
import type { PaneHands, PaneServer } from '../../../panes/servers.ts';
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
type Seen = 'at-work' | 'at-rest' | 'unclear' | 'ended' | 'gone';

interface Parts {
  readonly context: AnswerContext;
  readonly command: Interrupt;
  readonly server: PaneServer;
  readonly hands: PaneHands;
}

/** Answers `at-rest` when nothing is under way in the pane. An agent that is at rest already gets no key. */
export async function interrupt(context: AnswerContext, command: Interrupt): Promise<CommandResult> {
  const pane = addressOf(command.incarnation);
  const server = await context.tmux.at(pane);
  if (server === undefined) return { kind: 'pane-gone' };
  return server.withPane(pane, (hands) => bringToRest({ context, command, server, hands }));
}

async function bringToRest(parts: Parts): Promise<CommandResult> {
  const { context, command, hands } = parts;
  const { clock, signal, profiles, settings } = context;
  const { interrupt: keys } = profiles.of(settings).profile.typing;
  const until = clock.elapsed() + command.standsMs + (ROUNDS_MAX + 1) * STOPS_MS;
  let pressed = 0;
  let nextKeyAt = 0;
  let mayAsk = true;
  let restsSince: number | null = null;
  for (;;) {
    const seen = await see(parts);
    const now = clock.elapsed();
    if (seen === 'gone') return { kind: 'pane-gone' };
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

async function see({ context, command, server }: Parts): Promise<Seen> {
  const outcome = await server.capture(addressOf(command.incarnation), { colours: true });
  if (outcome.kind === 'pane-gone') return 'gone';
  if (outcome.capture.facts.dead) return 'ended';
  const { profile } = context.profiles.of(context.settings);
  const { reading } = context.understand(profile, outcome.capture, { at: context.clock.now() });
  return judge(reading.state);
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
