/** Decides whether a run may go on after a loss, and at which level. */

import { DEFAULT_DEGRADATION_POLICY } from '../policy/degradation.ts';
import type { DegradationPolicy, RoleRule } from '../policy/degradation.ts';
import type { Degradation, DegradationLevel, Loss, RunView } from './types.ts';

/** Outcome of a run after a loss. */
export type Verdict =
  /** Continue: the lost role has no stage left to do. */
  | { readonly kind: 'continue' }
  | { readonly kind: 'substitute'; readonly role: string; readonly by: string }
  /** Go on without these stages. */
  | { readonly kind: 'skip'; readonly stages: readonly string[]; readonly unverified: boolean }
  /** Go on, with the output of a stage as it is. */
  | { readonly kind: 'partial'; readonly stages: readonly string[] }
  /** Stop, and keep the results so far. */
  | { readonly kind: 'abort'; readonly why: string };

/**
 * Judges a loss by the tree of docs/recovery.md: if a remaining stage needs the role, another role may stand in; otherwise the role's own rule
 * holds.
 */
export function judgeLoss(run: RunView, loss: Loss, policy = DEFAULT_DEGRADATION_POLICY): Verdict {
  switch (loss.kind) {
    case 'iterations-spent':
      return { kind: 'partial', stages: [loss.stage] };
    case 'run-timed-out':
      return { kind: 'abort', why: 'The run exceeded its time limit.' };
    case 'role-failed':
      return judgeRole(run, loss, policy);
  }
}

function judgeRole(run: RunView, loss: Extract<Loss, { kind: 'role-failed' }>, policy: DegradationPolicy): Verdict {
  const { role, substitute } = loss;
  const needed = run.stages.filter((stage) => stage.role === role && stage.state !== 'done').map(({ name }) => name);
  if (needed.length === 0) return { kind: 'continue' };
  if (substitute !== null) return { kind: 'substitute', role, by: substitute };
  const rule = ruleFor(role, policy);
  if (rule.kind === 'abort') return { kind: 'abort', why: `The ${role} failed permanently, and the run needs it.` };
  return { kind: 'skip', stages: needed, unverified: rule.outputs === 'unverified' };
}

/** Tells whether a run may go on after a loss. */
export function canContinue(run: RunView, loss: Loss, policy = DEFAULT_DEGRADATION_POLICY): boolean {
  return judgeLoss(run, loss, policy).kind !== 'abort';
}

/** Returns the losses of a run after one more. A level never gets better; the same loss twice counts once. */
export function applyDegradation(run: RunView, { before, loss, policy }: DegradationStep): Degradation {
  const verdict = judgeLoss(run, loss, policy);
  const after = { ...before, ...takenBy(verdict, loss, { before, run }) };
  return { ...after, level: worse(before.level, levelAfter(run, after, verdict)) };
}

export interface DegradationStep {
  readonly before: Degradation;
  readonly loss: Loss;
  readonly policy?: DegradationPolicy;
}

function takenBy(
  verdict: Verdict,
  loss: Loss,
  { before, run }: { before: Degradation; run: RunView },
): Partial<Degradation> {
  const role = loss.kind === 'role-failed' ? [loss.role] : [];
  const warnings = union(before.warnings, [warningFor(verdict, loss)]);
  switch (verdict.kind) {
    case 'continue':
      return { unavailableRoles: union(before.unavailableRoles, role), warnings };
    case 'substitute':
      return { warnings };
    case 'skip':
      return {
        unavailableRoles: union(before.unavailableRoles, role),
        skippedStages: union(before.skippedStages, verdict.stages),
        unverified: before.unverified || verdict.unverified,
        warnings,
      };
    case 'partial':
      return { partialOutputs: union(before.partialOutputs, verdict.stages), warnings };
    case 'abort': {
      const begun = run.stages.filter((stage) => stage.state === 'running').map(({ name }) => name);
      return {
        unavailableRoles: union(before.unavailableRoles, role),
        partialOutputs: union(before.partialOutputs, begun),
        warnings,
      };
    }
  }
}

function warningFor(verdict: Verdict, loss: Loss): string {
  switch (verdict.kind) {
    case 'continue':
      return `The ${roleOf(loss)} failed permanently. No remaining stage needs it.`;
    case 'substitute':
      return `The ${verdict.role} failed permanently. ${verdict.by} replaces it.`;
    case 'skip':
      return `The ${roleOf(loss)} failed permanently. Skipped stages: ${verdict.stages.join(', ')}.${verdict.unverified ? ' Outputs are not verified.' : ''}`;
    case 'partial':
      return `Stage ${verdict.stages.join(', ')} used all its revision rounds. Drover uses its best output so far.`;
    case 'abort':
      return `${verdict.why} Finished stages are kept.`;
  }
}

function roleOf(loss: Loss): string {
  return loss.kind === 'role-failed' ? loss.role : 'role';
}

/** Returns `minimal` when no stage is left that more than one kind of role shares: every helper of the run is gone. */
function levelAfter(run: RunView, after: Degradation, verdict: Verdict): DegradationLevel {
  if (verdict.kind === 'abort') return 'failed';
  const lostSomething = after.unavailableRoles.length + after.skippedStages.length + after.partialOutputs.length > 0;
  if (!lostSomething) return 'full';
  const roles = new Set(run.stages.map(({ role }) => role));
  const left = [...roles].filter((role) => !after.unavailableRoles.includes(role));
  return roles.size > 1 && left.length <= 1 ? 'minimal' : 'reduced';
}

const LEVELS: readonly DegradationLevel[] = ['full', 'reduced', 'minimal', 'failed'];

/** Returns the worse of two levels. */
export function worse(a: DegradationLevel, b: DegradationLevel): DegradationLevel {
  return LEVELS[Math.max(LEVELS.indexOf(a), LEVELS.indexOf(b))] ?? 'failed';
}

function ruleFor(role: string, policy: DegradationPolicy): RoleRule {
  return Object.hasOwn(policy.roles, role) ? (policy.roles[role] ?? policy.otherwise) : policy.otherwise;
}

function union(known: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...known, ...more])];
}
