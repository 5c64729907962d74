/**
 * How does a text get into the agent exactly once? One attempt at a time; after each the evidence decides:
 * taken, try again on the next rung, or look first because nobody knows (R5). The ladder stands in the policy.
 */
import { mayRetry } from '../retry/budgets.ts';
import { composerOfState, isAtWork } from '../worker/op.ts';
import type { DeliverResult, DeliveryEvidence, Look, Op, Receipt } from '../worker/op.ts';
import type { Outgoing } from '../worker/worker.ts';
import { isPaused } from './account.ts';
import { wantCheckpoint } from './checkpoints.ts';
import { order, record, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { renew, SAME_AGENT } from './doubt.ts';
import { notBefore, works } from './incident.ts';
import { givenUp, recover } from './recover.ts';

type Deliver = Extract<Op, { kind: 'deliver' }>;

/** Orders the next attempt if the text is due and the screen invites it. */
export function orderDelivery(step: Step, incarnation: string): Step {
  const { worker, ctx } = step;
  const { outgoing, seen } = worker;
  if (outgoing === null || ctx.now < outgoing.notBefore || seen === null) return step;
  if (isPaused(worker) || worker.takenOver) return step;
  if (!invites(seen, mayQueue(outgoing))) return step;
  const rung = outgoing.lost === 0 ? undefined : ctx.policy.lostInput[outgoing.lost - 1];
  const settleMs = (rung?.settleMs ?? 0) + (outgoing.partial > 0 ? ctx.policy.partial.settleMs : 0);
  const op: Deliver = {
    kind: 'deliver',
    incarnation,
    text: outgoing.text,
    method: rung?.method ?? 'profile',
    settleMs,
    mayQueue: mayQueue(outgoing),
    clearFirst: outgoing.next === 'clear-first',
    enterOnly: outgoing.next === 'enter-only',
  };
  return order(step, op);
}

function mayQueue({ purpose }: Outgoing): boolean {
  return purpose === 'message' || purpose === 'nudge' || purpose === 'continue';
}

function invites({ state }: Look, queueing: boolean): boolean {
  if (isAtWork(state)) return queueing && (state.kind === 'processing' || composerOfState(state).kind !== 'none');
  return state.kind === 'ready' || (state.kind === 'error' && state.composer.kind !== 'none');
}

/** A `deliver` order ended with a result. */
export function delivered(step: Step, op: Deliver, { seq, result }: { seq: number; result: DeliverResult }): Step {
  const { outgoing } = step.worker;
  const { incarnation } = op;
  if (outgoing === null || outgoing.text !== op.text) return formerText(heldIsUnknown(step, op, seq));
  const written = 'receipt' in result ? receiptOf(step, outgoing, result.kind, result) : step;
  switch (result.kind) {
    case 'delivered':
      return taken(written, outgoing, { at: result.at, incarnation, unseen: !saysScreen(result.receipt) });
    case 'queued':
      // The program was seen at work: its queue has a turn before it.
      return inQueue(taken(written, outgoing, { at: result.at, incarnation, unseen: false }), outgoing, seq);
    case 'lost':
      return lost(written, outgoing);
    case 'partial':
      return partial(written, outgoing);
    case 'refused':
      return refused(step, outgoing, `${result.why}: ${result.detail}`);
    default:
      return result satisfies never;
  }
}

function saysScreen({ evidence }: Receipt): boolean {
  return evidence.some((words) => words.startsWith('screen: '));
}

/** A program that ends takes its queue along, so a person's words are remembered until their turn has come. */
function inQueue(step: Step, text: Outgoing, seq: number): Step {
  if (text.purpose !== 'message') return step;
  return set(step, { queued: [...step.worker.queued, { ...text, verify: seq }] });
}

/** The program ended: what it had queued is looked for, and typed again if it was not taken (R5). */
export function queueLost(step: Step): Step {
  const { queued, outgoing, backlog } = step.worker;
  if (queued.length === 0) return step;
  const [first, ...others] = outgoing === null ? queued : [outgoing, ...queued];
  return set(rule(step, 'queue-lost'), { outgoing: first ?? null, backlog: [...others, ...backlog], queued: [] });
}

/**
 * The text that was tried is not the one that is on its way by now: what became of it says nothing about that one. A task
 * still needs a context that no other text was typed into.
 */
function formerText(step: Step): Step {
  const former = rule(step, 'stale:delivery');
  return step.worker.outgoing?.purpose === 'task' ? set(former, { conversation: null, respawnDue: true }) : former;
}

/** R5: a text that is held for a person's answer was on its way: if it is given again, a look comes first. */
function heldIsUnknown(step: Step, { text }: Deliver, seq: number): Step {
  const { incident } = step.worker;
  if (incident === null || !incident.held.some((held) => held.text === text)) return step;
  const held = incident.held.map((one) => (one.text === text ? { ...one, verify: seq } : one));
  return set(step, { incident: { ...incident, held } });
}

/** The look after an attempt with an unknown outcome has spoken. `delivery` is the attempt that it looked for. */
export function verified(
  step: Step,
  evidence: DeliveryEvidence | null,
  { at, delivery }: { at: number; delivery: number },
): Step {
  const { outgoing, pane } = step.worker;
  if (outgoing === null || outgoing.verify !== delivery) return formerText(step);
  const known: Outgoing = { ...outgoing, verify: null };
  switch (evidence?.kind) {
    case 'taken': {
      // A busy program's screen shows that the text is in its queue: it goes with the program if that ends first.
      const heard = evidence.by === 'screen' ? inQueue(step, known, delivery) : step;
      return taken(rule(heard, 'verified:taken'), known, {
        at,
        incarnation: pane.kind === 'absent' ? null : pane.incarnation,
        unseen: evidence.by !== 'screen',
      });
    }
    case 'in-box-whole':
      return set(rule(step, 'verified:in-box-whole'), { outgoing: { ...known, next: 'enter-only' } });
    case 'in-box-part':
      return set(rule(step, 'verified:in-box-part'), { outgoing: { ...known, next: 'clear-first' } });
    case 'absent':
      return set(rule(step, 'verified:absent'), { outgoing: { ...known, next: 'type' } });
    case 'unclear':
    case undefined:
      return lookAgain(step, outgoing, evidence?.why ?? 'the machine could not look');
    default:
      return evidence satisfies never;
  }
}

/** An attempt whose outcome nobody knows: look before anything is typed again. */
export function deliveryUnknown(
  step: Step,
  op: Deliver,
  { seq, receipt }: { readonly seq: number; readonly receipt: Receipt | undefined },
): Step {
  const { outgoing } = step.worker;
  if (outgoing === null || outgoing.text !== op.text) return formerText(heldIsUnknown(step, op, seq));
  const written = receipt === undefined ? step : receiptOf(step, outgoing, 'unknown', { receipt });
  return set(rule(written, 'delivery-unknown'), { outgoing: { ...outgoing, verify: seq } });
}

function lookAgain(step: Step, outgoing: Outgoing, why: string): Step {
  const { waitMs, attemptsMax } = step.ctx.policy.refused;
  const refusals = outgoing.refused + 1;
  if (refusals > attemptsMax)
    return givenUp(maybeTaken(step, outgoing), {
      code: 'INPUT_LOST',
      why: `nobody can tell whether a text was taken (${why})`,
    });
  return set(rule(step, 'verify-again'), {
    outgoing: { ...outgoing, refused: refusals },
    holdUntil: step.ctx.now + waitMs,
  });
}

/** R5: a task that may have been taken is never given again as if it had not been, but with the note of a restoration. */
function maybeTaken(step: Step, { purpose }: Outgoing): Step {
  const { task } = step.worker;
  if (task === null || purpose !== 'task') return step;
  return set(step, { task: { ...task, taken: true }, restoreDue: true, outgoing: null });
}

interface Taking {
  readonly at: number;
  readonly incarnation: string | null;
  /** Only the program's record tells of it. */
  readonly unseen: boolean;
}

function taken(step: Step, outgoing: Outgoing, { at, incarnation, unseen }: Taking): Step {
  const { worker } = step;
  const [next, ...backlog] = worker.backlog;
  const here = worker.pane.kind !== 'absent' && worker.pane.kind !== 'dead' && worker.pane.incarnation === incarnation;
  const known = works(rule(step, `taken:${outgoing.purpose}`), 'taken');
  const kept = outgoing.purpose === 'task' ? wantCheckpoint(known, 'session_start', 'the task was taken') : known;
  return set(kept, {
    outgoing: next ?? null,
    backlog,
    task: worker.task === null ? null : { ...worker.task, taken: worker.task.taken || outgoing.purpose === 'task' },
    conversation: worker.conversation === null ? null : { ...worker.conversation, used: true },
    // A turn that a dead program had begun is not awaited: the task will be restored instead.
    turnSince: here ? at : null,
    turnUnseen: unseen,
    restoreDue: here ? worker.restoreDue : true,
    judgeDue: false,
    // The echo of a nudge is no progress: the clock goes on.
    progress:
      outgoing.purpose === 'nudge' ? { ...worker.progress, mark: null } : { mark: null, at: step.ctx.now, nudges: 0 },
  });
}

/** The ladder: the same text again, each time in a safer way. */
function lost(step: Step, outgoing: Outgoing): Step {
  const { ctx, worker } = step;
  const count = outgoing.lost + 1;
  const rung = ctx.policy.lostInput[count - 1];
  if (rung === undefined)
    return givenUp(step, { code: 'INPUT_LOST', why: `a text was not taken in ${count} attempts` });
  const at = notBefore(step, ctx.now + rung.waitMs);
  const { conversation } = worker;
  const first = rung.respawn ? 'start it again, then ' : '';
  const isOther = rung.respawn && conversation?.used === true;
  // R2: another text of this incident had it started again already.
  if (isOther && worker.incident?.tried.some(({ kind }) => kind === 'respawn-resumed') === true)
    return givenUp(step, { code: 'INPUT_LOST', why: `a text was not taken in ${count} attempts, nor after a restart` });
  return recover(
    step,
    { code: 'INPUT_LOST', why: 'a text was not taken' },
    {
      plan: 'own',
      attempt: {
        action: `${first}resend by "${rung.method}" in ${at - ctx.now} ms`,
        at,
        ...(rung.respawn && { strategy: 'restart' }),
        ...(isOther && { alternative: { kind: 'respawn-resumed', conversation: conversation.id } }),
      },
      act: (known) => {
        const waiting = { ...outgoing, lost: count, next: 'type', notBefore: at } as const;
        const due = set(rule(known, `lost:rung-${count}`), { outgoing: waiting });
        return rung.respawn && !worker.respawnDue ? renew(due, SAME_AGENT) : due;
      },
    },
  );
}

function partial(step: Step, outgoing: Outgoing): Step {
  const { policy } = step.ctx;
  const { waitMs } = policy.partial;
  const count = outgoing.partial + 1;
  if (!mayRetry('INPUT_PARTIAL', { spent: outgoing.partial, policy })) return lost(step, { ...outgoing, partial: 0 });
  const at = notBefore(step, step.ctx.now + waitMs);
  return recover(
    step,
    { code: 'INPUT_PARTIAL', why: 'a part of a text stands in the box' },
    {
      plan: 'own',
      attempt: { action: 'clear the box and resend', at },
      act: (known) =>
        set(rule(known, `partial:${count}`), {
          outgoing: { ...outgoing, partial: count, next: 'clear-first', notBefore: at },
        }),
    },
  );
}

/** The hands did not type at all; the screen may invite it later. */
function refused(step: Step, outgoing: Outgoing, why: string): Step {
  const { waitMs, attemptsMax } = step.ctx.policy.refused;
  const count = outgoing.refused + 1;
  if (count > attemptsMax) return givenUp(step, { code: 'INPUT_LOST', why: `a text could not be typed (${why})` });
  return set(rule(step, 'refused-by-hands'), {
    outgoing: { ...outgoing, refused: count, notBefore: step.ctx.now + waitMs },
    note: `a text waits to be typed (${why})`,
  });
}

function receiptOf(step: Step, outgoing: Outgoing, outcome: string, { receipt }: { readonly receipt: Receipt }): Step {
  return record(step, { kind: 'receipt', outgoing: outgoing.id, purpose: outgoing.purpose, outcome, receipt });
}
