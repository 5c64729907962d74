/**
 * The agent shows an error while its program lives: does it pass by itself, with time, with another try, with a
 * fresh context, or only with a person? (docs/recovery.md, errors that the agent shows)
 */
import type { AgentErrorKind, AgentState } from '../agent-state.ts';
import { parseResetTime } from '../limits/reset-time.ts';
import { backoffDelay } from '../retry/backoff.ts';
import { codeForAgentError } from '../taxonomy/agent-codes.ts';
import type { ErrorCode } from '../taxonomy/codes.ts';
import type { Trouble } from '../worker/worker.ts';
import { givenUp } from './crash.ts';
import { rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { queueLost } from './delivery.ts';
import { attempted, noticed } from './incident.ts';
import { enqueue, outgoing } from './orders.ts';
import { continueText } from './texts.ts';

type AgentError = Extract<AgentState, { kind: 'error' }>;

const LIMITS: ReadonlySet<AgentErrorKind> = new Set(['rate-limit', 'usage-limit']);

/** A busy worker's screen shows an error. One that is waited out already is not counted again. */
export function agentError(step: Step, state: AgentError): Step {
  const { trouble, outgoing: text, inFlight } = step.worker;
  if (trouble?.until !== null && trouble !== null) return set(step, { note: noteOf(state) });
  if (text !== null || inFlight !== null) return step;
  const known: Trouble = {
    error: state.error,
    text: state.text,
    since: trouble?.since ?? step.ctx.now,
    attempts: trouble?.attempts ?? 0,
    freshened: trouble?.freshened ?? false,
    until: null,
  };
  if (needsPayment(state)) {
    return givenUp(step, codeForAgentError(state.error, state.text), `its account cannot pay: ${state.text}`);
  }
  if (state.error === 'auth' && !state.recoverable)
    return givenUp(step, codeForAgentError(state.error, state.text), `its agent is not logged in: ${state.text}`);
  if (LIMITS.has(state.error)) return limited(step, known, state);
  if (state.error === 'context-exhausted') return exhausted(step, known);
  return state.recoverable ? waitForItsOwnRetry(step, known) : tryAgain(step, known);
}

/** No reset ends this: only a person does. */
function needsPayment({ text }: AgentError): boolean {
  return /\b(credit balance|insufficient (?:funds|credits?|quota)|payment required|add funds)\b/i.test(text);
}

/** A limit is over at its stated reset, plus a spread; one that says nothing is asked again later and later. */
function limited(step: Step, known: Trouble, state: AgentError): Step {
  const { now, policy, random, zone } = step.ctx;
  const { waitMs, waitMaxMs, attemptsMax, spread } = policy.limit;
  const attempts = known.attempts + 1;
  const code = codeForAgentError(known.error, known.text);
  if (attempts > attemptsMax) return givenUp(step, code, `a limit holds after ${known.attempts} tries: ${known.text}`);
  const reset = parseResetTime(state.resets ?? state.text, { now, zone });
  const isStated = reset.kind === 'at' && reset.atMs > now;
  const delayMs = isStated ? reset.atMs - now : Math.min(waitMs * 2 ** (attempts - 1), waitMaxMs);
  const until = now + Math.round(delayMs + spread * random * Math.min(delayMs, waitMs));
  return waiting(
    step,
    { ...known, attempts, until },
    { code, level: 1, action: `wait ${Math.round((until - now) / 1000)} s for the limit to reset` },
  );
}

/** The program retries by itself; only if that comes to nothing is it asked to go on. */
function waitForItsOwnRetry(step: Step, known: Trouble): Step {
  const until = step.ctx.now + step.ctx.policy.agentError.patienceMs;
  return set(rule(step, `agent-error:${known.error}`), { trouble: { ...known, until }, note: noteOf(known) });
}

/** Level 1: ask again, with growing pauses. Level 2: another process with the same conversation. Level 4: a person. */
function tryAgain(step: Step, known: Trouble): Step {
  const { backoff, attemptsMax } = step.ctx.policy.agentError;
  const code = codeForAgentError(known.error, known.text);
  const attempts = known.attempts + 1;
  if (attempts <= attemptsMax) {
    const until = step.ctx.now + backoffDelay(backoff, attempts, step.ctx.random);
    return waiting(
      step,
      { ...known, attempts, until },
      { code, level: 1, action: `ask it to go on in ${until - step.ctx.now} ms` },
    );
  }
  if (known.freshened) return givenUp(step, code, `its agent's requests fail: ${known.text}`);
  return startedAnew(step, { ...known, attempts: 0 }, { code, action: 'start it again with its conversation' });
}

/** Level 2: the same task in a fresh context, once. */
function exhausted(step: Step, known: Trouble): Step {
  const code = codeForAgentError(known.error, known.text);
  if (known.freshened) return givenUp(step, code, 'its context is full again after a fresh start');
  const fresh = set(step, { conversation: null });
  return startedAnew(fresh, known, { code, action: 'give the task again in a fresh context' });
}

function startedAnew(step: Step, known: Trouble, { code, action }: { code: ErrorCode; action: string }): Step {
  const told = noticed(step, { code, why: known.text }, 'restart');
  const anew = set(rule(queueLost(told), `agent-error:${known.error}`), {
    trouble: { ...known, freshened: true, until: null },
    respawnDue: true,
    restoreDue: true,
    turnSince: null,
  });
  return attempted(anew, { action, strategy: 'restart' });
}

interface Plan {
  readonly code: ErrorCode;
  readonly level: 1;
  readonly action: string;
}

function waiting(step: Step, trouble: Trouble, { code, action }: Plan): Step {
  const known = set(rule(step, `agent-error:${trouble.error}`), { trouble, note: noteOf(trouble) });
  const isWait = LIMITS.has(trouble.error);
  return attempted(noticed(known, { code, why: trouble.text }, 'retry'), { action, strategy: 'retry', isWait });
}

/** The time of waiting is over: unless the agent went on by itself, it is asked to. */
export function troubleOver(step: Step): Step {
  const { trouble, seen } = step.worker;
  if (trouble === null) return step;
  const rested = set(rule(step, 'trouble-over'), { trouble: { ...trouble, until: null } });
  const isStill = seen !== null && (seen.state.kind === 'error' || seen.state.kind === 'ready');
  return isStill ? enqueue(rested, outgoing(step.ctx.fresh, 'continue', continueText(trouble.text))) : rested;
}

function noteOf({ error, text }: { error: AgentErrorKind; text: string }): string {
  return LIMITS.has(error) ? `waits for a limit to reset: ${text}` : `waits out an error of its agent: ${text}`;
}
