/**
 * Handles an error that the agent shows while its program lives. An error may pass by itself, with time, with another try, with a fresh
 * context, or only with a person (docs/recovery.md, errors that the agent shows).
 */
import type { AgentErrorKind, AgentState } from '../agent-state.ts';
import { note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { parseResetTime } from '../limits/reset-time.ts';
import { continueText } from '../policy/texts.ts';
import { beginAttempt, logFailure, notBefore, openIncident } from '../recovery/incident.ts';
import { giveUp, recover } from '../recovery/ladder.ts';
import { sendText } from '../recovery/mail.ts';
import { mayRetry, pauseBefore } from '../recovery/plans.ts';
import { codeForAgentError } from '../taxonomy/agent-codes.ts';
import { isLimit, setTrouble } from '../worker/incident.ts';
import type { Trouble } from '../worker/incident.ts';
import { newText } from '../worker/mailbox.ts';
import { isReplaced, seenOf } from '../worker/session.ts';
import type { Worker } from '../worker/worker.ts';

type AgentError = Extract<AgentState, { kind: 'error' }>;

/** Text of a limit that only the program's own dialog has shown so far. */
export const LIMIT_OFFERED = 'its agent offers to wait for the limit to reset';

/** Handles an error on a busy worker's screen. An error that the worker already waits out is not counted again. */
export function handleAgentError(step: Step, state: AgentError): Step {
  const { incident, mailbox, command, session, checkpoint } = step.worker;
  const { trouble } = incident;
  if (trouble !== null && trouble.until !== null) return whileWaiting(step, trouble, state);
  const isBusyWithIt = command.inFlight !== null && command.inFlight.command.kind !== 'checkpoint';
  if (mailbox.current !== null || isBusyWithIt || isReplaced(session) || checkpoint.restore !== null) return step;
  // A resumed conversation shows its old end. Drover gives the task again first; errors after that are news.
  if (isRestoreDue(step.worker) && state.composer.kind !== 'none') return step;
  const known: Trouble = {
    error: state.error,
    text: state.text,
    since: trouble?.since ?? step.ctx.now,
    attempts: trouble?.attempts ?? 0,
    own: false,
    until: null,
  };
  const code = codeForAgentError(state.error, state.text);
  const named = rule(step, `agent-error:${state.error}`);
  if (needsPayment(state)) return giveUp(named, { code, why: `its account cannot pay: ${state.text}` });
  if (state.error === 'auth' && !state.recoverable)
    return giveUp(named, { code, why: `its agent is not logged in: ${state.text}` });
  if (isLimit(state.error)) return limited(named, known, state);
  if (state.error === 'context-exhausted')
    return recover(named, { code, why: `its context is full: ${state.text}` }, null);
  if (state.error === 'history-refused')
    return recover(named, { code, why: `its provider refuses the conversation: ${state.text}` }, null);
  return state.recoverable ? waitForItsOwnRetry(named, known) : tryAgain(named, known);
}

/** Keeps waiting for the trouble to pass. A limit that only a dialog showed may be stated now: the worker then waits until the stated time. */
function whileWaiting(step: Step, trouble: Trouble, state: AgentError): Step {
  const isNews = trouble.text === LIMIT_OFFERED && state.text !== LIMIT_OFFERED && isLimit(state.error);
  if (!isNews || resetOf(step, state) === null) return note(step, noteOf(state));
  const { attempts } = trouble;
  return limited(rule(step, 'limit-stated'), { ...trouble, text: state.text, attempts: attempts - 1 }, state);
}

/** Tells whether only a payment by a person, and no reset, ends the error. */
function needsPayment({ text, resets }: AgentError): boolean {
  const words =
    /\b(credit balance|insufficient (?:funds|credits?|quota)|payment required|add (?:funds|credits)|out of (?:usage )?credits)\b/i;
  return resets === null && words.test(text);
}

/** Tells whether the service itself limits requests for a while: a pause for this worker, and none for its account. */
function isOfService({ text }: AgentError): boolean {
  return /\bnot your usage limit\b|\btemporarily limiting requests\b/i.test(text);
}

/** Waits for a limit until its stated reset, plus a spread; a limit without a stated reset is retried at growing intervals. */
function limited(step: Step, known: Trouble, state: AgentError): Step {
  const { now, policy, random } = step.ctx;
  const { waitMs, spread } = policy.limit;
  const attempts = known.attempts + 1;
  const code = codeForAgentError(known.error, known.text);
  const resetAt = resetOf(step, state);
  const told = isOfService(state) ? step : record(step, { kind: 'account', event: 'limit-hit', resetAt });
  if (!mayRetry(code, { spent: known.attempts, policy }))
    return recover(told, { code, why: `a limit still holds after ${known.attempts} tries: ${known.text}` }, null);
  const delayMs = resetAt === null ? pauseBefore(code, attempts, step.ctx) : resetAt - now;
  // A program that continues by itself is the first to try: Drover asks it only if nothing came of that.
  const own = state.recoverable && resetAt !== null;
  const laterMs = own ? policy.agentError.patienceMs : spread * random * Math.min(delayMs, waitMs);
  const until = now + Math.round(delayMs + laterMs);
  const failure = { code, why: known.text } as const;
  const logged = logFailure(openIncident(told, failure), failure, 'retry');
  const waiting = awaitTrouble(logged, { ...known, own, attempts, until });
  const action = `wait ${Math.round((until - now) / 1000)} s for the limit to reset`;
  return beginAttempt(waiting, { action, strategy: 'retry', at: until, isWait: true });
}

/**
 * Returns the reset time of the limit, in epoch milliseconds; null if the screen names none or a past one. A screen quotes the bare time: `7pm
 * (UTC)`.
 */
function resetOf({ ctx }: Step, { resets, text }: AgentError): number | null {
  const reset = parseResetTime(resets === null ? text : `resets ${resets}`, ctx);
  return reset.kind === 'at' && reset.atMs > ctx.now ? reset.atMs : null;
}

/** Waits for the program's own retries; only if they do not help does Drover ask it to go on, and only that counts. */
function waitForItsOwnRetry(step: Step, known: Trouble): Step {
  const until = step.ctx.now + step.ctx.policy.agentError.patienceMs;
  return awaitTrouble(step, { ...known, own: true, until });
}

/** Asks it to go on, with growing pauses. */
function tryAgain(step: Step, known: Trouble): Step {
  const { now } = step.ctx;
  const attempts = known.attempts + 1;
  const code = codeForAgentError(known.error, known.text);
  const until = notBefore(step, now + pauseBefore(code, attempts, step.ctx));
  return recover(
    step,
    { code, why: `its agent's requests fail: ${known.text}` },
    {
      counts: 'incident',
      attempt: { action: `ask it to continue in ${until - now} ms`, at: until },
      act: (counted) => awaitTrouble(counted, { ...known, attempts, until }),
    },
  );
}

/** Asks the agent to go on after the wait, unless it went on by itself. */
export function troubleOver(step: Step): Step {
  const { incident, session } = step.worker;
  const { trouble } = incident;
  if (trouble === null) return step;
  const rested = set(rule(step, 'trouble-over'), {
    incident: setTrouble(incident, { ...trouble, own: false, until: null }),
  });
  const kind = seenOf(session)?.state.kind;
  if (kind !== 'error' && kind !== 'ready') return rested;
  // The program ended meanwhile: a task that is given again needs no second text.
  if (isTaskGivenAgain(step.worker)) return rested;
  // The agent's own retries did not help: from now on the retries are Drover's, and count.
  if (trouble.own && !isLimit(trouble.error)) return tryAgain(rested, { ...trouble, own: false, until: null });
  return sendText(rested, newText(step.ctx.fresh, 'continue', continueText(trouble.text)));
}

/** Tells whether the worker's task will be given again, or is on its way. */
function isTaskGivenAgain(worker: Worker): boolean {
  return isRestoreDue(worker) || worker.mailbox.current?.purpose === 'restored';
}

function isRestoreDue({ mailbox, task }: Worker): boolean {
  return mailbox.restoreDue && task.kind === 'in-hand' && task.taken;
}

function awaitTrouble(step: Step, trouble: Trouble): Step {
  return note(set(step, { incident: setTrouble(step.worker.incident, trouble) }), noteOf(trouble));
}

function noteOf({ error, text }: { error: AgentErrorKind; text: string }): string {
  return isLimit(error) ? `waits for a limit to reset: ${text}` : `waits out an error of its agent: ${text}`;
}
