/**
 * Ends a turn of a run's task: a valid result of this attempt, with the commit that it owes, goes to the run, and the worker holds. A turn
 * without one is answered by one typed prompt, after the refusals of the program's own hook; then the attempt has failed.
 *
 * W2: only a file of this attempt that is younger than its receipt counts, and only after the model was seen at work. W5: whatever a worker
 * that holds does counts for nothing.
 */
import { become, note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { GitFacts } from '../machine/reading.ts';
import { onlyLog, showSign } from '../recovery/incident.ts';
import { sendText } from '../recovery/mail.ts';
import { runWords } from '../requests/run.ts';
import { askForResultText, resultProblems } from '../run/results.ts';
import type { ResultSeen, RunInHand, TaskEnd } from '../run/task.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { setTrouble } from '../worker/incident.ts';
import { giveBack, isLeaving, stateOf } from '../worker/lifecycle.ts';
import { newText, setRestoreDue } from '../worker/mailbox.ts';
import { forgetCrashes } from '../worker/session.ts';
import { isBusy } from '../worker/status.ts';
import { changeRun, inHand, leaveRun, runOf } from '../worker/task.ts';
import { endTurn, setJudgeDue } from '../worker/turn.ts';
import type { Worker } from '../worker/worker.ts';

/** Prompts for a missing result that are typed in an attempt. */
const PROMPTS_MAX = 1;

/** Facts of a check at the end of a turn. */
interface TurnEnd {
  readonly git: GitFacts;
  readonly result: ResultSeen | undefined;
  /** True if nobody can be prompted: a person is asked or has taken over, or the program has ended. */
  readonly isSilent: boolean;
}

/** Judges a turn of the present attempt. @returns null for a worker that holds, and without a valid result from an agent that cannot be prompted. */
export function endRunTurn(before: Step, run: RunInHand, { git, result, isSilent }: TurnEnd): Step | null {
  if (run.phase === 'held') return null;
  const step = noteAnswer(before, git);
  const { worker } = step;
  const base = worker.worktree.place.kind === 'ready' ? worker.worktree.place.base : git.head;
  const commit = newCommit(worker, git);
  const found = judgeResult(worker, { git, result });
  if (found.kind === 'valid') {
    const summary = `${found.result.verdict}: ${found.result.summary.split('\n', 1)[0]}`;
    if (!isBusy(worker.lifecycle.status)) return returnWithResult(step);
    return hold(rule(step, 'run:ended'), { kind: 'result', result: found.result, commit, base }, summary);
  }
  if (isSilent) return null;
  if (run.asked < PROMPTS_MAX && !run.isLast) return promptForResult(step, run, found.problem);
  const why = `no valid result: ${found.problem}`;
  const logged = onlyLog(rule(step, 'run:no-result'), { code: 'AGENT_INVALID_OUTPUT', why });
  return hold(logged, { kind: 'no-result', commit, problem: found.problem }, why);
}

/** Returns a worker that waited for a person to its work, since its agent has given its result after all: a fresh check judges that. */
function returnWithResult(step: Step): Step {
  const working = become(showSign(step, 'turn-over'), 'working', 'its agent gave its result');
  return set(working, { turn: setJudgeDue(working.worker.turn, true) });
}

/** Notes that the model was at work in this attempt: its turn was seen, or git has a commit of it. */
function noteAnswer(step: Step, git: GitFacts): Step {
  const { turn, task } = step.worker;
  const isSeen = turn.phase.kind === 'running' || newCommit(step.worker, git) !== null;
  return isSeen ? set(step, { task: changeRun(task, { answered: true }) }) : step;
}

function newCommit({ task }: Worker, { head, ahead, rebasing, unmerged }: GitFacts): string | null {
  const isNew = ahead > 0 && head !== inHand(task)?.headBefore && !rebasing && unmerged === 0;
  return isNew ? head : null;
}

type Found =
  | { readonly kind: 'valid'; readonly result: Extract<ResultSeen, { kind: 'given' }>['result'] }
  | { readonly kind: 'missing'; readonly problem: string };

function judgeResult(worker: Worker, { git, result }: Pick<TurnEnd, 'git' | 'result'>): Found {
  const run = runOf(worker.task);
  if (run === null || result === undefined || result.kind === 'none') return missing('there is none');
  if (result.kind === 'invalid') return missing(result.problem);
  if (result.attempt !== run.attempt)
    return missing(`it is for attempt ${result.attempt}, and this is attempt ${run.attempt}`);
  if (run.takenAt === null || result.at < run.takenAt) return missing('it was written before this attempt began');
  if (!run.answered) return missing('no work of the model was seen in this attempt');
  const problems = [...resultProblems(result.result, run.returns), ...gitProblems(worker, git, result)];
  return problems.length === 0 ? { kind: 'valid', result: result.result } : missing(problems.join('; '));
}

function missing(problem: string): Found {
  return { kind: 'missing', problem };
}

function gitProblems(
  worker: Worker,
  git: GitFacts,
  { result }: Extract<ResultSeen, { kind: 'given' }>,
): readonly string[] {
  const run = runOf(worker.task);
  const hasCommit = newCommit(worker, git) !== null;
  if (run?.returns === 'review' && (git.dirty > 0 || git.head !== inHand(worker.task)?.headBefore))
    return ['a review changes nothing: take back your changes and commits, so that the worktree is as it was'];
  const isOwed = run?.returns === 'commit' && result.verdict === 'done';
  const hasDeclinedAll = result.answers.length > 0 && result.answers.every(({ did }) => did === 'declined');
  return isOwed && !hasCommit && !hasDeclinedAll ? ['commit: "done" needs a new commit on your branch'] : [];
}

function promptForResult(step: Step, { asked, returns, attempt }: RunInHand, problem: string): Step {
  const why = `stopped without a valid result (${problem}); Drover asks its agent for it`;
  const named = showSign(rule(step, 'run:asked-for-result'), 'turn-over');
  const noted = note(named, why);
  const { turn, task, mailbox } = noted.worker;
  const over = set(noted, {
    turn: endTurn(turn),
    task: changeRun(task, { asked: asked + 1 }),
    mailbox: setRestoreDue(mailbox, false),
  });
  return sendText(over, newText(step.ctx.fresh, 'correction', askForResultText(problem, { returns, attempt })));
}

/** Reports the end to the run, and lets the worker wait for it. */
function hold(step: Step, end: TaskEnd, summary: string): Step {
  const run = runOf(step.worker.task);
  if (run === null) return step;
  const why = `its work is in ${runWords(run)}: ${summary}`;
  const waiting = become(showSign(step, 'turn-over'), 'needs_review', why);
  const { turn, task, mailbox, incident, session, lifecycle } = waiting.worker;
  const held = set(waiting, {
    turn: endTurn(turn),
    task: changeRun(task, { phase: 'held' }),
    mailbox: setRestoreDue(mailbox, false),
    incident: setTrouble(incident, null),
    session: forgetCrashes(session),
    lifecycle: giveBack(lifecycle),
  });
  return report(held, run, end);
}

function report(step: Step, { runId, item, attempt }: RunInHand, end: TaskEnd): Step {
  return record(step, { kind: 'run', runId, item, attempt, end });
}

/**
 * Tells the run, after any event, that its task has left the worker's hands by another way than a result: recovery gave up, or a person acted.
 * Drover never undoes a person's act: the task becomes the worker's own.
 */
export function tellRun(before: Worker, event: WorkerEvent, step: Step): Step {
  const was = runOf(before.task);
  if (was === null || event.kind === 'run-released') return step;
  const { worker } = step;
  const commit = newCommit(before, before.worktree.git ?? NO_GIT);
  if (event.kind === 'machine-removed') {
    const problem = 'its machine was removed';
    return report(rule(step, 'run:failed'), was, { kind: 'failed', code: 'MACHINE_LOST', commit, problem });
  }
  const isSame = inHand(worker.task)?.id === inHand(before.task)?.id;
  if (!isSame || isTakenByPerson(before, worker)) {
    const by =
      'by' in event ? event.by : event.kind === 'nuke-requested' ? 'a person who removed its worker' : 'its user';
    const own = isSame ? set(step, { task: leaveRun(worker.task) }) : step;
    return report(rule(own, 'run:taken-away'), was, { kind: 'taken-away', by, commit });
  }
  const { open } = worker.incident;
  if (was.phase === 'held' || worker.lifecycle.status !== 'error' || before.lifecycle.status === 'error') return step;
  const failed = set(rule(step, 'run:failed'), { task: changeRun(worker.task, { phase: 'held' }) });
  const why = open?.why ?? worker.lifecycle.note;
  return report(failed, was, { kind: 'failed', code: open?.code ?? 'UNKNOWN_ERROR', commit, problem: why });
}

const NO_GIT: GitFacts = { head: '', ahead: 0, dirty: 0, subject: '', rebasing: false, unmerged: 0 };

/**
 * Tells whether a person has taken the task: works there by hand, removes the worker, or sets one to work again whose end the run has heard of.
 */
function isTakenByPerson(before: Worker, { lifecycle, task }: Worker): boolean {
  const isResumed = runOf(task)?.phase === 'held' && isBusy(stateOf(lifecycle));
  const isRemoved = isLeaving(lifecycle) && !isLeaving(before.lifecycle);
  return isResumed || isRemoved || (lifecycle.takenOver && !before.lifecycle.takenOver);
}
