/**
 * The agent shows an error while its program lives: does it pass by itself, with time, with another try, with a
 * fresh context, or only with a person? (docs/recovery.md, errors that the agent shows)
 */
import type { AgentErrorKind, AgentState } from '../agent-state.ts';
import { parseResetTime } from '../limits/reset-time.ts';
import { backoffDelay } from '../retry/backoff.ts';
import { mayRetry } from '../retry/budgets.ts';
import { codeForAgentError } from '../taxonomy/agent-codes.ts';
import type { Trouble } from '../worker/worker.ts';
import { isLimit } from './account.ts';
import { record, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { attempted, logged, notBefore, opened } from './incident.ts';
import type { Failure } from './incident.ts';
import { enqueue, outgoing } from './orders.ts';
import { givenUp, recover } from './recover.ts';
import { continueText } from './texts.ts';

type AgentError = Extract<AgentState, { kind: 'error' }>;

/** What is known of a limit of which only the program's own dialog has told yet. */
export const LIMIT_OFFERED = 'its program offers to wait for the limit to reset';

/** A busy worker's screen shows an error. One that is waited out already is not counted again. */
export function agentError(step: Step, state: AgentError): Step {
  const { trouble, outgoing: text, inFlight, respawnDue, restoreFrom, restoreDue, task } = step.worker;
  if (trouble !== null && trouble.until !== null) return whileWaiting(step, trouble, state);
  const isBusyWithIt = inFlight !== null && inFlight.op.kind !== 'checkpoint';
  if (text !== null || isBusyWithIt || respawnDue || restoreFrom !== null) return step;
  // A resumed conversation shows how it ended. Its task is given again first; what follows that is news.
  if (restoreDue && task?.taken === true && state.composer.kind !== 'none') return step;
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
  if (needsPayment(state)) return givenUp(named, { code, why: `its account cannot pay: ${state.text}` });
  if (state.error === 'auth' && !state.recoverable)
    return givenUp(named, { code, why: `its agent is not logged in: ${state.text}` });
  if (isLimit(state.error)) return limited(named, known, state);
  if (state.error === 'context-exhausted')
    return recover(named, { code, why: `its context is full: ${state.text}` }, null);
  return state.recoverable ? waitForItsOwnRetry(named, known) : tryAgain(named, known);
}

/** It is waited out already. What only a dialog told of may be stated now: then it is waited until then. */
function whileWaiting(step: Step, trouble: Trouble, state: AgentError): Step {
  const isNews = trouble.text === LIMIT_OFFERED && state.text !== LIMIT_OFFERED && isLimit(state.error);
  if (!isNews || resetOf(step, state) === null) return set(step, { note: noteOf(state) });
  const { attempts } = trouble;
  return limited(rule(step, 'limit-stated'), { ...trouble, text: state.text, attempts: attempts - 1 }, state);
}

/** No reset ends this: only a person does. */
function needsPayment({ text }: AgentError): boolean {
  return /\b(credit balance|insufficient (?:funds|credits?|quota)|payment required|add funds)\b/i.test(text);
}

/** A limit is over at its stated reset, plus a spread; one that says nothing is asked again later and later. */
function limited(step: Step, known: Trouble, state: AgentError): Step {
  const { now, policy, random } = step.ctx;
  const { waitMs, waitMaxMs, spread } = policy.limit;
  const attempts = known.attempts + 1;
  const code = codeForAgentError(known.error, known.text);
  const resetAt = resetOf(step, state);
  const told = record(step, { kind: 'account', event: 'limit-hit', resetAt });
  if (!mayRetry(code, { spent: known.attempts, policy }))
    return recover(told, { code, why: `a limit holds after ${known.attempts} tries: ${known.text}` }, null);
  const delayMs = resetAt === null ? Math.min(waitMs * 2 ** (attempts - 1), waitMaxMs) : resetAt - now;
  const until = now + Math.round(delayMs + spread * random * Math.min(delayMs, waitMs));
  const failure = { code, why: known.text } as const;
  const logged = loggedFor(told, failure);
  const waiting = set(logged, { trouble: { ...known, attempts, until }, note: noteOf(known) });
  const action = `wait ${Math.round((until - now) / 1000)} s for the limit to reset`;
  return attempted(waiting, { action, strategy: 'retry', at: until, isWait: true });
}

/** When the limit resets, epoch milliseconds; null if that is not said or over. A screen quotes the bare time: `7pm (UTC)`. */
function resetOf({ ctx }: Step, { resets, text }: AgentError): number | null {
  const reset = parseResetTime(resets === null ? text : `resets ${resets}`, ctx);
  return reset.kind === 'at' && reset.atMs > ctx.now ? reset.atMs : null;
}

function loggedFor(step: Step, failure: Failure): Step {
  return logged(opened(step, failure), failure, 'retry');
}

/** The program retries by itself; only if that comes to nothing is it asked to go on, and only that counts. */
function waitForItsOwnRetry(step: Step, known: Trouble): Step {
  const until = step.ctx.now + step.ctx.policy.agentError.patienceMs;
  return set(step, { trouble: { ...known, own: true, until }, note: noteOf(known) });
}

/** Asks it to go on, with growing pauses. */
function tryAgain(step: Step, known: Trouble): Step {
  const { now, policy, random } = step.ctx;
  const attempts = known.attempts + 1;
  const until = notBefore(step, now + backoffDelay(policy.agentError.backoff, attempts, random));
  return recover(
    step,
    { code: codeForAgentError(known.error, known.text), why: `its agent's requests fail: ${known.text}` },
    {
      plan: 'policy',
      attempt: { action: `ask it to go on in ${until - now} ms`, at: until },
      act: (counted) => set(counted, { trouble: { ...known, attempts, until }, note: noteOf(known) }),
    },
  );
}

/** The time of waiting is over: unless the agent went on by itself, it is asked to. */
export function troubleOver(step: Step): Step {
  const { trouble, seen } = step.worker;
  if (trouble === null) return step;
  const rested = set(rule(step, 'trouble-over'), { trouble: { ...trouble, own: false, until: null } });
  const isStill = seen !== null && (seen.state.kind === 'error' || seen.state.kind === 'ready');
  if (!isStill) return rested;
  // Its own retries came to nothing: from now on they are Drover's, and count.
  if (trouble.own) return tryAgain(rested, { ...trouble, own: false, until: null });
  return enqueue(rested, outgoing(step.ctx.fresh, 'continue', continueText(trouble.text)));
}

function noteOf({ error, text }: { error: AgentErrorKind; text: string }): string {
  return isLimit(error) ? `waits for a limit to reset: ${text}` : `waits out an error of its agent: ${text}`;
}
