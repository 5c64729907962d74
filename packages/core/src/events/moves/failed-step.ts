/** Handles a failed command of a move: repeats it within the budget of commands, then gives the move up. */
import { note, rule, set } from '../../decision/step.ts';
import type { Step } from '../../decision/step.ts';
import type { Command, CommandKind } from '../../machine/commands.ts';
import { codeOfCommand } from '../../recovery/command-codes.ts';
import { onlyLog } from '../../recovery/incident.ts';
import { RETRIES } from '../../recovery/plans.ts';
import { countFailure, forgetFailures, holdUntil } from '../../worker/command.ts';
import { endMove } from '../../worker/move.ts';
import type { Move } from '../../worker/move.ts';
import { worktreeLost } from '../worktree.ts';
import { tryElsewise, turnBack } from './turn-back.ts';

/** Failure of a step. `isKnown` is false if the machine does not know the outcome. */
interface Ended {
  readonly code: string;
  readonly message: string;
  readonly retry: boolean;
  readonly isKnown: boolean;
}

/** Tells whether the command is a step of the move. */
export function isOfMove(kind: CommandKind, move: Move): boolean {
  return kind === 'freeze' || kind === 'let-in' || (kind === 'restore' && move.kind === 'arriving');
}

/** Takes the failure of a step. */
export function moveStepFailed(step: Step, command: Command, { code, message, retry, isKnown }: Ended): Step {
  const { move, command: slot } = step.worker;
  const named = rule(step, `failed:${command.kind}:${code}`);
  if (move.kind === 'none') return named;
  const why = `"${command.kind}" failed: ${message}`;
  // The worktree is missing, so there is nothing to take along: Drover makes it again at its former place.
  if (code === 'worktree-missing' && move.kind === 'leaving') return worktreeLost(stay(named, why));
  const { policy, now } = step.ctx;
  const { firstDelayMs, retriesMax } = RETRIES.command(policy);
  const logged = onlyLog(named, { code: codeOfCommand(command, code), why, details: message, component: 'move' });
  const counted = countFailure(slot, command.kind);
  if (retry && counted.failures <= retriesMax) return set(logged, { command: holdUntil(counted, now + firstDelayMs) });
  const calm = set(logged, { command: forgetFailures(slot) });
  // The place was not frozen, so there is nothing to let the agent into.
  if (command.kind === 'freeze' && move.kind === 'leaving' && isKnown && !retry) return stay(calm, message);
  if (move.kind !== 'returning') return turnBack(calm, message);
  // R2: nothing else can be done, and waiting loses nothing: Drover asks again at leisure.
  return set(note(calm, why), { command: holdUntil(forgetFailures(slot), now + policy.checkEveryMs) });
}

/** Gives up the move of a worker that never left its machine. */
function stay(step: Step, why: string): Step {
  const { move } = step.worker;
  if (move.kind === 'none') return step;
  const told = note(rule(step, 'move:back'), `did not move to "${move.route.to.name}": ${why}`);
  const stayed = set(told, { move: endMove() });
  return tryElsewise(stayed, move.route) ?? stayed;
}
