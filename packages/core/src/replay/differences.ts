/** Words the differences between two decisions on the same event. */
import type { Decision } from '../decision/step.ts';
import { tell } from '../explain/tell.ts';
import { duration } from '../taxonomy/wording.ts';
import type { Worker } from '../worker/worker.ts';
import { canonical } from '../canonical.ts';

/** A part of a decision, and its value under the other policy. */
export interface DecisionDifference {
  readonly what: 'reply' | 'status' | 'commands' | 'records' | 'deadlines' | 'rules' | 'memory';
  readonly was: string;
  readonly wouldBe: string;
}

/**
 * Returns the differences between a decision and that of another policy; null there: the policy fails. Rules and memory (facts that the policy
 * keeps of the worker) are reported only if nothing visible from outside differs.
 *
 * @param now Time of the decision, epoch milliseconds: deadlines are relative to it.
 */
export function differencesOf(real: Decision, other: Decision | null, now: number): readonly DecisionDifference[] {
  if (other === null) return [{ what: 'rules', was: real.rules.join(', '), wouldBe: 'the policy fails' }];
  const seen = [
    difference('reply', [real, other], replyOf),
    difference('status', [real, other], ({ worker }) => worker.lifecycle.status),
    difference('commands', [real, other], ({ commands }) =>
      listed(commands.map(({ command, timeoutMs }) => `${command.kind} within ${duration(timeoutMs)}`)),
    ),
    difference('records', [real, other], ({ records }) => listed(records.map(tell))),
    difference('deadlines', [real, other], ({ worker }) => listed(deadlinesOf(worker, now))),
  ].flat();
  if (seen.length > 0) return seen;
  const rules = difference('rules', [real, other], (decision) => decision.rules.join(', '));
  return rules.length > 0 ? rules : memoryOf(real.worker, other.worker);
}

function difference(
  what: DecisionDifference['what'],
  [real, other]: readonly [Decision, Decision],
  words: (decision: Decision) => string,
): readonly DecisionDifference[] {
  const [was, wouldBe] = [words(real), words(other)];
  return was === wouldBe ? [] : [{ what, was, wouldBe }];
}

function replyOf({ reply }: Decision): string {
  return reply.kind === 'accepted' ? 'accepted' : `refused: ${reply.message}`;
}

function listed(words: readonly string[]): string {
  return words.length === 0 ? 'none' : words.join('; ');
}

function deadlinesOf({ deadlines }: Worker, now: number): readonly string[] {
  return Object.entries(deadlines)
    .toSorted(([, one], [, other]) => one - other)
    .map(([name, at]) => `${name} ${at <= now ? 'at once' : `in ${duration(at - now)}`}`);
}

function memoryOf(real: Worker, other: Worker): readonly DecisionDifference[] {
  const [was, wouldBe] = [Object.entries(real), new Map(Object.entries(other))];
  return was
    .filter(([key, value]) => canonical(value) !== canonical(wouldBe.get(key)))
    .map(([key, value]) => ({
      what: 'memory' as const,
      was: `${key} ${canonical(value)}`,
      wouldBe: `${key} ${canonical(wouldBe.get(key))}`,
    }));
}
