/**
 * Tells the agent, by one text for each task, of a fault in its work that words can put right. If the agent leaves the fault as it was, a
 * person decides.
 */
import { becomeOrReturnTo, note, rule, set } from '../../decision/step.ts';
import type { Step } from '../../decision/step.ts';
import { gitlinksText, isToBlame, tellGitlinks } from '../../machine/gitlinks.ts';
import type { Gitlink } from '../../machine/gitlinks.ts';
import type { Astray, GitFacts } from '../../machine/reading.ts';
import { astrayText, unsignedText } from '../../policy/texts.ts';
import { showSign } from '../../recovery/incident.ts';
import { sendText } from '../../recovery/mail.ts';
import { waitForPerson } from '../../recovery/questions.ts';
import { stateOf } from '../../worker/lifecycle.ts';
import { newText, setRestoreDue } from '../../worker/mailbox.ts';
import { dropReview } from '../../merge/state.ts';
import { isBusy } from '../../worker/status.ts';
import { hasBeenTold, inHand, markTold } from '../../worker/task.ts';
import type { Told } from '../../worker/task.ts';
import { endTurn } from '../../worker/turn.ts';

/** Tells the agent that it stopped with HEAD on another branch. @returns null if no text is sent. */
export function tellAstray(step: Step, { head, astray }: GitFacts): Step | null {
  if (astray === undefined) return null;
  return tellOnce(step, 'branch', { why: `stopped ${whereAstray(astray)}`, text: astrayText(astray, head) });
}

export function whereAstray({ branch, expected }: Astray): string {
  const where = branch === null ? 'with a detached HEAD' : `on branch "${branch}"`;
  return `${where} instead of "${expected}"`;
}

/** Tells the agent that it stopped with uncommitted files where commits must be signed. @returns null if no text is sent. */
export function tellUnsigned(step: Step, { signs = false, dirty }: GitFacts): Step | null {
  if (!signs || dirty === 0) return null;
  const why = 'stopped without a commit in a repository that signs commits';
  return tellOnce(step, 'signing', { why, text: unsignedText(dirty) });
}

/**
 * Sends back work whose candidate names commits that nobody can fetch. After one notice to the agent a person decides; no person accepts the
 * work before that is put right.
 */
export function sendBackGitlinks(step: Step, gitlinks: readonly Gitlink[]): Step {
  const why = tellGitlinks(gitlinks);
  const told = tellOnce(step, 'gitlinks', { why, text: gitlinksText(gitlinks.filter(isToBlame)) });
  if (told !== null) return told;
  const known = set(rule(step, 'review:gitlinks'), { merge: dropReview(step.worker.merge) });
  const { lifecycle } = known.worker;
  const isFree = stateOf(lifecycle) === 'needs_review' || lifecycle.status === 'offline' || lifecycle.takenOver;
  return isFree ? note(known, why) : waitForPerson(known, why, null);
}

function tellOnce(step: Step, what: Told, { why, text }: { readonly why: string; readonly text: string }): Step | null {
  const { task, lifecycle } = step.worker;
  const state = stateOf(lifecycle);
  const given = inHand(task);
  if (given === null || lifecycle.takenOver || hasBeenTold(given, what)) return null;
  const named = showSign(rule(step, `told:${what}`), 'turn-over');
  const words = `${why}; Drover tells its agent`;
  const working = isBusy(state) ? note(named, words) : note(becomeOrReturnTo(named, 'working', words), words);
  const { turn, mailbox } = working.worker;
  const over = set(working, {
    turn: endTurn(turn),
    task: markTold(working.worker.task, what),
    mailbox: setRestoreDue(mailbox, false),
  });
  return sendText(over, newText(step.ctx.fresh, 'correction', text));
}
