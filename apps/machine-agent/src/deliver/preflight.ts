/** May the text be typed now? Nothing is typed into a dialog, over a person's draft, or into another life of the pane. */
import type { Attempt, Stage } from './attempt.ts';
import type { Sight } from '../panes/understand.ts';

/** Milliseconds that a program may take to show that it is ready, and that a person may take to finish a draft. */
const READY_MS = 3_000;
const DRAFT_MS = 10_000;
const LOOK_EVERY_MS = 50;
/** Milliseconds between a key that clears and the look at what it did. */
const CLEAR_LOOK_MS = 80;
const CLEAR_ROUNDS = 3;
/** Milliseconds of rest after the box was cleared. Source: docs/recovery.md, partial send. */
const CLEARED_MS = 100;

type Refusal = {
  readonly why: 'not-ready' | 'dialog' | 'draft' | 'busy';
  readonly detail: string;
  readonly waitMs: number;
};

/** Waits until the text may be typed, and says how to begin; or refuses with the reason that stood longest. */
export async function preflight(attempt: Attempt): Promise<Stage> {
  const { words, earlier, op } = attempt.parts;
  const saidBy = earlier === null ? null : await words.takenBy();
  if (saidBy !== null) return attempt.taken('delivered', `${saidBy}: an earlier attempt was taken after all`);
  const startedAt = attempt.now;
  for (;;) {
    const sight = await attempt.seeWhole();
    if (sight === null) return attempt.refused('pane-gone', `${op.incarnation} has ended`);
    const verdict = judge(attempt, sight);
    if ('kind' in verdict) {
      attempt.before = { wasBusy: sight.look.state.kind === 'processing', progress: sight.look.progress };
      attempt.done('preflight', `${sight.look.rule}: ${sight.look.state.kind}`);
      return verdict;
    }
    if (attempt.isOver || attempt.now - startedAt >= verdict.waitMs)
      return attempt.refused(verdict.why, verdict.detail);
    await attempt.pause(LOOK_EVERY_MS);
  }
}

function judge(attempt: Attempt, sight: Sight): Stage | Refusal {
  const { state } = sight.look;
  switch (state.kind) {
    case 'question':
    case 'permission':
    case 'dialog':
      return { why: 'dialog', detail: `it asks: ${state.dialog.title}`, waitMs: 0 };
    case 'processing':
      if (!attempt.parts.op.mayQueue) return { why: 'busy', detail: 'the agent is at work', waitMs: 0 };
      return judgeBox(attempt, sight);
    case 'ready':
    case 'error':
      return judgeBox(attempt, sight);
    case 'starting':
    case 'exited':
    case 'unknown':
      return { why: 'not-ready', detail: `the screen shows "${state.kind}"`, waitMs: READY_MS };
    default:
      return state satisfies never;
  }
}

/** What stands in the box decides: nothing, Drover's own text, or a person's. */
function judgeBox(attempt: Attempt, sight: Sight): Stage | Refusal {
  const { op, earlier } = attempt.parts;
  const isOwn = op.clearFirst || op.enterOnly || earlier !== null;
  const isBusy = sight.look.state.kind === 'processing';
  const draft: Refusal = { why: 'draft', detail: 'a text that is not ours stands in the box', waitMs: DRAFT_MS };
  const clear: Stage | Refusal = isBusy
    ? { why: 'busy', detail: 'a part of the text stands in the box of a busy agent', waitMs: READY_MS }
    : { kind: 'clear' };
  const stands = attempt.stands(sight);
  switch (stands) {
    case 'empty':
      return op.enterOnly ? vanished(attempt) : { kind: 'type' };
    case 'whole':
      return { kind: 'enter' };
    case 'placeholder':
      if (!isOwn) return draft;
      return op.clearFirst ? clear : { kind: 'enter' };
    case 'part':
      return isOwn ? clear : draft;
    case 'other':
      return draft;
    case 'none':
      return { why: 'not-ready', detail: 'no input box is on the screen', waitMs: READY_MS };
    default:
      return stands satisfies never;
  }
}

/** Only Enter was to be pressed, and the text is gone: somebody pressed it, or cleared the box. */
function vanished(attempt: Attempt): Stage {
  attempt.noteEarlier();
  return attempt.unknown('the text no longer stands in the box');
}

/** Empties the box of Drover's own text, one key at a time with a look between. */
export async function clearBox(attempt: Attempt): Promise<Stage> {
  const { profile, hands } = attempt.parts;
  for (let round = 0; round < CLEAR_ROUNDS; round += 1) {
    for (const key of profile.typing.clear) {
      const sent = await hands.pressKeys([key]);
      if (sent.kind !== 'sent') return attempt.refused('pane-gone', 'it ended while the box was cleared');
      await attempt.pause(CLEAR_LOOK_MS);
      const sight = await attempt.see();
      if (sight === null) return attempt.refused('pane-gone', 'it ended while the box was cleared');
      const stands = attempt.stands(sight);
      if (stands === 'none') return attempt.refused('dialog', 'another screen opened while the box was cleared');
      if (stands !== 'empty') continue;
      attempt.evidence.push('cleared our own text');
      await attempt.pause(CLEARED_MS);
      return { kind: 'type' };
    }
  }
  return attempt.failed('partial', 'the box could not be cleared');
}
