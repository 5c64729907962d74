/**
 * Handles the end of an attempt to deliver a text. Only one attempt runs at a time. After each the evidence decides: taken, try again on the
 * next rung, or check first because the outcome is unknown (R5). The ladder is in the policy.
 */
import { note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Command, DeliverResult } from '../machine/commands.ts';
import type { DeliveryEvidence, Receipt } from '../machine/reading.ts';
import { notBefore, showSign } from '../recovery/incident.ts';
import { giveUp, recover } from '../recovery/ladder.ts';
import { mayRetry, pauseBefore } from '../recovery/plans.ts';
import { wantCheckpoint } from '../recovery/save.ts';
import { renewAgent, SAME_AGENT } from '../recovery/second-signal.ts';
import { holdUntil } from '../worker/command.ts';
import { changeIncident } from '../worker/incident.ts';
import { dropCurrent, queueText, replaceCurrent, setRestoreDue, takeCurrent } from '../worker/mailbox.ts';
import type { Text } from '../worker/mailbox.ts';
import { isAlive, isReplaced, setConversation, setReplacement, useConversation } from '../worker/session.ts';
import { changeRun, markTaken, runOf } from '../worker/task.ts';
import type { Task } from '../worker/task.ts';
import { awaitProgress, beginTurn, endTurn, setJudgeDue, setMark } from '../worker/turn.ts';

/** Handles the result of a `deliver` command. */
export function deliveryEnded(
  step: Step,
  {
    command,
    seq,
    result,
  }: { readonly command: Command<'deliver'>; readonly seq: number; readonly result: DeliverResult },
): Step {
  const { current } = step.worker.mailbox;
  const { incarnation } = command;
  if (current === null || current.text !== command.text) return formerText(markHeldUnknown(step, command, seq));
  const written =
    'receipt' in result ? writeReceipt(step, current, { outcome: result.kind, receipt: result.receipt }) : step;
  switch (result.kind) {
    case 'delivered':
      return textTaken(written, current, {
        at: result.at,
        incarnation,
        unseen: !saysScreen(result.receipt),
        begun: begunAt(result),
      });
    case 'queued':
      // The program was seen at work: the texts in its queue have a turn before this one.
      return rememberQueued(
        textTaken(written, current, { at: result.at, incarnation, unseen: false, begun: begunAt(result) }),
        current,
        seq,
      );
    case 'lost':
      return textLost(written, current);
    case 'partial':
      return textPartial(written, current);
    case 'refused':
      return textRefused(step, current, `${result.why}: ${result.detail}`);
    default:
      return result satisfies never;
  }
}

function begunAt({ at, receipt }: { readonly at: number; readonly receipt: Receipt }): number {
  return receipt.steps[0]?.at ?? at;
}

function saysScreen({ evidence }: Receipt): boolean {
  return evidence.some((words) => words.startsWith('screen: '));
}

/** Remembers a person's text until its turn has come, because a program that ends takes its queue along. */
function rememberQueued(step: Step, text: Text, seq: number): Step {
  if (text.purpose !== 'message') return step;
  return set(step, { mailbox: queueText(step.worker.mailbox, { ...text, verify: seq }) });
}

/**
 * Handles a result about a former text: it says nothing about the text that is on its way now. A task still needs a context that no other text
 * was typed into.
 */
function formerText(step: Step): Step {
  const former = rule(step, 'stale:delivery');
  const { mailbox, session } = step.worker;
  if (mailbox.current?.purpose !== 'task') return former;
  return set(former, { session: setReplacement(setConversation(session, null), true) });
}

/** R5: marks a text that is held for a person's answer and was on its way: a check comes before its next delivery. */
function markHeldUnknown(step: Step, { text }: Command<'deliver'>, seq: number): Step {
  const { incident } = step.worker;
  const { open } = incident;
  if (open === null || !open.held.some((held) => held.text === text)) return step;
  const held = open.held.map((one) => (one.text === text ? { ...one, verify: seq } : one));
  return set(step, { incident: changeIncident(incident, { held }) });
}

/** Handles the check after an attempt with an unknown outcome. `delivery` is the attempt that it looked for. */
export function deliveryVerified(
  step: Step,
  evidence: DeliveryEvidence | null,
  { at, delivery }: { readonly at: number; readonly delivery: number },
): Step {
  const { mailbox, session } = step.worker;
  const { current } = mailbox;
  const { pane } = session;
  if (current === null || current.verify !== delivery) return formerText(step);
  const known: Text = { ...current, verify: null };
  switch (evidence?.kind) {
    case 'taken': {
      // A busy program's screen shows that the text is in its queue: the text is lost if the program ends first.
      const heard = evidence.by === 'screen' ? rememberQueued(step, known, delivery) : step;
      const incarnation = pane.kind === 'absent' ? null : pane.incarnation;
      return textTaken(rule(heard, 'verified:taken'), known, { at, incarnation, unseen: evidence.by !== 'screen' });
    }
    case 'in-box-whole':
      return tryNext(rule(step, 'verified:in-box-whole'), { ...known, next: 'enter-only' });
    case 'in-box-part':
      return tryNext(rule(step, 'verified:in-box-part'), { ...known, next: 'clear-first' });
    case 'absent':
      return tryNext(rule(step, 'verified:absent'), { ...known, next: 'type' });
    case 'unclear':
    case undefined:
      return checkAgain(step, current, evidence?.why ?? 'the machine could not read the screen');
    default:
      return evidence satisfies never;
  }
}

function tryNext(step: Step, text: Text): Step {
  return set(step, { mailbox: replaceCurrent(step.worker.mailbox, text) });
}

/** Handles an attempt with an unknown outcome: a check comes before anything is typed again. */
export function deliveryUnknown(
  step: Step,
  command: Command<'deliver'>,
  { seq, receipt }: { readonly seq: number; readonly receipt: Receipt | undefined },
): Step {
  const { current } = step.worker.mailbox;
  if (current === null || current.text !== command.text) return formerText(markHeldUnknown(step, command, seq));
  const written = receipt === undefined ? step : writeReceipt(step, current, { outcome: 'unknown', receipt });
  return tryNext(rule(written, 'delivery-unknown'), { ...current, verify: seq });
}

function checkAgain(step: Step, text: Text, why: string): Step {
  const { waitMs, attemptsMax } = step.ctx.policy.refused;
  const refused = text.refused + 1;
  if (refused > attemptsMax)
    return giveUp(keepAsTaken(step, text), {
      code: 'INPUT_LOST',
      why: `it is not known whether its agent took a text (${why})`,
    });
  const again = tryNext(rule(step, 'verify-again'), { ...text, refused });
  return set(again, { command: holdUntil(again.worker.command, step.ctx.now + waitMs) });
}

/** R5: gives a task that may have been taken again only with the note of a restoration. */
function keepAsTaken(step: Step, { purpose }: Text): Step {
  const { task, mailbox } = step.worker;
  if (task.kind === 'none' || purpose !== 'task') return step;
  return set(step, { task: markTaken(task), mailbox: setRestoreDue(dropCurrent(mailbox), true) });
}

interface Taking {
  readonly at: number;
  readonly incarnation: string | null;
  /** True if only the program's record reports the text. */
  readonly unseen: boolean;
  /** Begin of the attempt that the agent took; absent: not known. A quick agent answers before its receipt is written. */
  readonly begun?: number;
}

function textTaken(step: Step, { purpose }: Text, { at, incarnation, unseen, begun = 0 }: Taking): Step {
  const { pane } = step.worker.session;
  const isHere = isAlive(pane) && pane.incarnation === incarnation;
  const known = showSign(rule(step, `taken:${purpose}`), 'taken');
  const kept = purpose === 'task' ? wantCheckpoint(known, 'session_start', 'its agent took the task') : known;
  const { mailbox, task, session, turn } = kept.worker;
  // A turn that a dead program had begun is not awaited: the task will be restored instead.
  const going = isHere ? beginTurn(turn, at, unseen) : setJudgeDue(endTurn(turn), false);
  return set(kept, {
    mailbox: setRestoreDue(takeCurrent(mailbox), isHere ? mailbox.restoreDue : true),
    task: receive(purpose === 'task' ? markTaken(task) : task, purpose, begun),
    session: useConversation(session),
    // The echo of a nudge is no progress: the clock goes on.
    turn: purpose === 'nudge' ? setMark(going, null) : awaitProgress(going, step.ctx.now),
  });
}

/** Times a run's attempt by the first text that gives it: results of the machine's earlier attempts are gone when it types. */
function receive(task: Task, purpose: Text['purpose'], begun: number): Task {
  const isGiven = purpose === 'task' || purpose === 'rejection' || purpose === 'restored';
  return isGiven && runOf(task)?.takenAt === null ? changeRun(task, { takenAt: begun }) : task;
}

/** Climbs the ladder: delivers the same text again, each time in a safer way. */
function textLost(step: Step, text: Text): Step {
  const { ctx, worker } = step;
  const lost = text.lost + 1;
  const rung = ctx.policy.lostInput[lost - 1];
  if (rung === undefined)
    return giveUp(step, { code: 'INPUT_LOST', why: `its agent did not take a text in ${lost} attempts` });
  const at = notBefore(step, ctx.now + rung.waitMs);
  const { conversation } = worker.session;
  const first = rung.respawn ? 'start it again, then ' : '';
  const isOther = rung.respawn && conversation?.used === true;
  // R2: another text of this incident has restarted the agent already.
  if (isOther && worker.incident.open?.tried.some(({ kind }) => kind === 'respawn-resumed') === true)
    return giveUp(step, {
      code: 'INPUT_LOST',
      why: `its agent did not take a text in ${lost} attempts, nor after a restart`,
    });
  return recover(
    step,
    { code: 'INPUT_LOST', why: 'its agent did not take a text' },
    {
      counts: 'caller',
      attempt: {
        action: `${first}resend by "${rung.method}" in ${at - ctx.now} ms`,
        at,
        ...(rung.respawn && { strategy: 'restart' }),
        ...(isOther && { alternative: { kind: 'respawn-resumed', conversation: conversation.id } }),
      },
      act: (known) => {
        const due = tryNext(rule(known, `lost:rung-${lost}`), { ...text, lost, next: 'type', notBefore: at });
        return rung.respawn && !isReplaced(worker.session) ? renewAgent(due, SAME_AGENT) : due;
      },
    },
  );
}

function textPartial(step: Step, text: Text): Step {
  const { policy, now } = step.ctx;
  if (!mayRetry('INPUT_PARTIAL', { spent: text.partial, policy })) return textLost(step, { ...text, partial: 0 });
  const partial = text.partial + 1;
  const at = notBefore(step, now + pauseBefore('INPUT_PARTIAL', partial, step.ctx));
  return recover(
    step,
    { code: 'INPUT_PARTIAL', why: 'a part of a text is in the input box' },
    {
      counts: 'caller',
      attempt: { action: 'clear the input box and resend', at },
      act: (known) =>
        tryNext(rule(known, `partial:${partial}`), { ...text, partial, next: 'clear-first', notBefore: at }),
    },
  );
}

/** Handles a text that the machine did not type; the screen may invite it later. */
function textRefused(step: Step, text: Text, why: string): Step {
  const { waitMs, attemptsMax } = step.ctx.policy.refused;
  const refused = text.refused + 1;
  if (refused > attemptsMax) return giveUp(step, { code: 'INPUT_LOST', why: `Drover could not type a text (${why})` });
  const again = tryNext(rule(step, 'refused-by-hands'), { ...text, refused, notBefore: step.ctx.now + waitMs });
  return note(again, `a text waits to be typed (${why})`);
}

function writeReceipt(
  step: Step,
  { id, purpose }: Text,
  { outcome, receipt }: { readonly outcome: string; readonly receipt: Receipt },
): Step {
  return record(step, { kind: 'receipt', textId: id, purpose, outcome, receipt });
}
