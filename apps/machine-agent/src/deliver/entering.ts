/** Puts a text into the box, checks that it shows there, and submits it. */
import type { Cursor, SendOutcome } from '@drover/tmux';
import type { PaneHands } from '../panes/servers.ts';
import type { Attempt, Stage, Typed } from './attempt.ts';

/** Milliseconds in which a typed text must appear; counted again while more of it appears. */
const APPEAR_MS = 3_000;
/** Milliseconds in all in which it may keep appearing. */
const APPEAR_MAX_MS = 20_000;
const CHECK_EVERY_MS = 15;
/** Times that Enter is held back because the cursor has moved since the capture: a program may never let it rest. */
const HELD_BACK_MAX = 20;
/** Milliseconds without a box on the screen before the box counts as gone: a screen may be seen half painted. */
const GONE_MS = 250;

/** Puts the text into the box. Notes it first, because from here on it may stand there. */
export async function type(attempt: Attempt): Promise<Stage> {
  const { hands, plan, context } = attempt.parts;
  await attempt.note('typing');
  context.crashPoint('noted', 'deliver');
  const sent = await put(hands, plan);
  context.crashPoint('typed', 'deliver');
  if (sent.kind !== 'sent') return attempt.refused('pane-gone', 'its program ended while the text was typed');
  attempt.done('typed');
  return { kind: 'see' };
}

/** Puts a text into the box, without Enter. */
export function put(hands: PaneHands, { text, how }: Pick<Typed, 'text' | 'how'>): Promise<SendOutcome> {
  switch (how.kind) {
    case 'paste':
      return hands.paste(text);
    case 'pieces':
      return hands.pasteEach(how.pieces);
    case 'keys':
      return hands.typeText(text, how);
    default:
      return how satisfies never;
  }
}

/** Waits for the whole text, or the placeholder of a paste: Enter is pressed on nothing else. */
export async function see(attempt: Attempt): Promise<Stage> {
  const startedAt = attempt.elapsed;
  let grewAt = startedAt;
  let held = '';
  let boxGoneAt: number | undefined;
  for (;;) {
    const pane = await attempt.see();
    if (pane === null) return attempt.unknown('its program ended with the text in the box');
    const stands = attempt.stands(pane);
    if (stands === 'whole' || stands === 'placeholder') return seen(attempt, stands, pane.facts.cursor);
    const now = attempt.elapsed;
    if (stands !== 'none') boxGoneAt = undefined;
    else if (now - (boxGoneAt ??= now) >= GONE_MS) return { kind: 'take' };
    if (pane.reading.fingerprint !== held) grewAt = now;
    held = pane.reading.fingerprint;
    if (attempt.isOver || now - grewAt >= APPEAR_MS || now - startedAt >= APPEAR_MAX_MS) {
      return notSeen(attempt, stands);
    }
    await attempt.pause(CHECK_EVERY_MS);
  }
}

async function seen(attempt: Attempt, stands: 'whole' | 'placeholder', at: Cursor): Promise<Stage> {
  attempt.done(
    'seen-in-box',
    stands === 'whole' ? 'the text stood in the box' : 'a paste placeholder stood in the box',
  );
  await attempt.pause(attempt.parts.plan.settleMs);
  return { kind: 'enter', at };
}

async function notSeen(attempt: Attempt, stands: 'part' | 'other' | 'empty' | 'none'): Promise<Stage> {
  const saidBy = await attempt.parts.words.takenBy();
  if (saidBy !== null) return attempt.taken('delivered', `${saidBy}: it was taken without Enter`);
  if (stands === 'empty' || stands === 'none') return attempt.failed('lost', 'the text never appeared in the box');
  return attempt.failed(
    'partial',
    stands === 'part' ? 'only a part of the text appeared' : 'the box holds another text',
  );
}

/** Submits the text that was seen in the box. */
export async function enter(attempt: Attempt, at: Cursor): Promise<Stage> {
  const pressed = await pressEnter(attempt, at);
  if (pressed === 'held-back') return { kind: 'see' };
  attempt.parts.context.crashPoint('entered', 'deliver');
  if (pressed === 'gone') return attempt.unknown('its program ended before Enter');
  attempt.done('entered');
  return { kind: 'take' };
}

/**
 * Presses Enter. Notes it first, because from here on the text may be taken.
 *
 * @param at Cursor of the capture that showed the text. Enter is held back once it has moved: a dialog may have opened since, which Enter would
 *   answer.
 * @returns `gone` when the program has ended.
 */
export async function pressEnter(attempt: Attempt, at: Cursor): Promise<'pressed' | 'held-back' | 'gone'> {
  const { hands, profile } = attempt.parts;
  await attempt.note('entering');
  attempt.enters += 1;
  const mayHold = attempt.heldBack < HELD_BACK_MAX;
  const { kind } = await hands.pressKeys([profile.typing.submit], { at: mayHold ? at : undefined });
  if (kind !== 'cursor-moved') return kind === 'sent' ? 'pressed' : 'gone';
  attempt.enters -= 1;
  attempt.heldBack += 1;
  return 'held-back';
}
