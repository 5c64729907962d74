/** Words decisions for people: the same words in logs, in `drover why` and on pages. */
import type { TaskEnd } from '../run/task.ts';
import type { CommandResult } from '../machine/commands.ts';
import { duration } from '../taxonomy/wording.ts';
import type { TrainEvent, WorkerEvent } from '../worker/event.ts';
import type { Repair } from '../worker/repair.ts';
import type { DecisionRecord } from '../decision/records.ts';
import type { DeadlineName } from '../worker/deadline.ts';

/** Reason for each deadline, in words. */
export const DEADLINE_MEANING: Readonly<Record<DeadlineName, string>> = {
  command: 'the machine must answer the last command by then',
  'start-up': 'the agent must show its prompt by then; it gets more time once, then Drover restarts it',
  restart: 'Drover restarts the agent',
  delivery: 'Drover types the text again',
  hold: 'Drover repeats the failed command',
  nudge: 'Drover asks the agent for its status, or notifies a person',
  background: 'Drover asks a person about the work that its agent left running',
  trouble: 'the error of the agent should have passed, so Drover asks it to continue',
  check: 'Drover checks the screen and git',
  settle: 'Drover takes the turn as ended if the agent is still ready',
  accept: 'it asks again for its turn to merge',
  checkpoint: 'Drover saves its uncommitted work',
  account: 'the limit of its account should have reset',
  'hand-back': 'the turn in which its agent reports what it has must end by then, or Drover ends it',
  move: 'its move must have made progress by then, or it returns to its previous machine',
};

const ACCOUNT_WORDS = {
  'limit-hit': 'its account is at a limit: all workers of the account wait',
  answered: 'its account answers again',
  left: 'it has nothing to send to its account; another worker tests the limit',
} as const;

const TRAIN_WORDS: Readonly<Record<TrainEvent['kind'], string>> = {
  'train-boarded': 'it joins the train',
  'train-left': 'it keeps its place for the next train',
  'train-landed': 'it is merged',
  'train-culprit': 'it breaks the checks',
};

/** Words a record of a decision as one sentence. */
export function tell(entry: DecisionRecord): string {
  switch (entry.kind) {
    case 'moved':
      return `${entry.from} → ${entry.to}: ${entry.why}`;
    case 'recovery':
      return `recovery of ${entry.code}, level ${entry.level}, attempt ${entry.attempt}: ${entry.action}`;
    case 'recovered':
      return `recovered from ${entry.code} after ${(entry.sinceMs / 1000).toFixed(1)} s and ${entry.attempts} attempt(s)`;
    case 'escalated':
      return `needs a person (${entry.code}): ${entry.why}`;
    case 'receipt':
      return `${entry.purpose} ${entry.outcome} (${entry.receipt.bytes} bytes by "${entry.receipt.method}", Enter pressed ${entry.receipt.enters} time(s))`;
    case 'task':
      return `task ${entry.id.slice(0, 8)}: ${entry.status}`;
    case 'accept-ended':
      return `its accept is over (${entry.how}): ${entry.why}`;
    case 'lease':
      return entry.action === 'acquire' ? 'got its turn to merge' : 'gave up its turn to merge';
    case 'default-branch-moved':
      return `merged as ${entry.commit.slice(0, 12)}`;
    case 'train':
      return `told ${entry.told.length} other worker(s) of its train: ${[...new Set(entry.told.map(({ event }) => TRAIN_WORDS[event.kind]))].join(', ')}`;
    case 'run':
      return `told run ${entry.runId.slice(-8)} how attempt ${entry.attempt} for ${entry.item} ended: ${END_WORDS[entry.end.kind]}`;
    case 'notice':
      return entry.text;
    case 'gone':
      return 'removed';
    case 'error':
      return `${entry.code}: ${entry.message}`;
    case 'escalation-closed':
      return entry.how === 'resolved' ? `answered: ${entry.option ?? 'by a request'}` : 'the question is moot';
    case 'answer-applied':
      return `the answer was ${entry.application}`;
    case 'trust':
      return `trust in ${entry.about} was ${entry.isTrusted ? 'given' : 'refused'} for all workers of its project`;
    case 'queued':
      return `filed for later (${entry.priority}): ${entry.title}`;
    case 'checkpoint':
      return entry.commit === null
        ? `checkpoint (${entry.type}): nothing to save`
        : `checkpoint ${entry.id.slice(-8)} (${entry.type})`;
    case 'account':
      return ACCOUNT_WORDS[entry.event];
    case 'carriage':
      return 'its checkpoint and its conversation go to the new machine';
    case 'machine-changed':
      return 'it now belongs to another machine';
    case 'place-left':
      return 'its files on the previous machine go to the trash';
    case 'account-chosen':
      return `the account "${entry.to}" pays for its agent from now on`;
    case 'profile-changed':
      return `its agent profile is now "${entry.to}" instead of "${entry.from}"`;
    default:
      return entry satisfies never;
  }
}

const END_WORDS: Readonly<Record<TaskEnd['kind'], string>> = {
  result: 'with a result',
  'no-result': 'without a valid result',
  failed: 'recovery gave up',
  'taken-away': 'a person took it',
};

/** Words an event. */
export function tellEvent(event: WorkerEvent): string {
  switch (event.kind) {
    case 'screen-seen':
      return `the screen shows "${event.reading.state.kind}" (by the rule "${event.reading.rule}")`;
    case 'pane-exited':
      return `the agent's program ended with ${event.exit.signal === null ? `status ${event.exit.status ?? 'unknown'}` : `signal ${event.exit.signal}`}`;
    case 'panes-listed':
      return event.pane === null
        ? `the machine ${event.hasRestarted === true ? 'restarted and has' : 'has'} no session of this worker`
        : 'the machine has a session of this worker';
    case 'tool-failed':
      return `a tool failed (${event.report.class}): ${event.report.name}: ${event.report.evidence}`;
    case 'command-finished':
      return event.result.kind === 'failed'
        ? `command ${event.seq} failed: ${event.result.message}`
        : `command ${event.seq} ended: ${event.result.kind}${whereOf(event.result)}`;
    case 'deadline-expired':
      return `the deadline "${event.name}" passed`;
    case 'default-branch-moved':
      return 'it was time to check whether the default branch has moved';
    case 'trust-decided':
      return 'a person decided on a kind of trust for its project';
    case 'train-boarded':
      return `its work joins the merge train of "${event.conductor.name}", in place ${event.conductor.place} of ${event.conductor.of}`;
    case 'train-left':
      return `its merge train continues without it: ${event.why}`;
    case 'train-landed':
      return `its train is merged, its own work as ${event.commit.slice(0, 12)}`;
    case 'train-culprit':
      return `the check "${event.command}" fails with its work, and passes with what comes before it`;
    case 'budget-told':
      return event.uses.length === 0
        ? 'it is under no budget'
        : `spent: ${event.uses.map(({ scope, words }) => `${words} of the ${scope}`).join(', ')}`;
    case 'account-changed':
      return `its account is ${event.state}`;
    case 'machine-lost':
      return `its machine ${event.why ?? `has been silent for ${duration(event.silentMs)}`}`;
    case 'move-requested':
      return `a person asked to move it to the machine "${event.route.to.name}"`;
    case 'move-cancel-requested':
      return 'a person cancelled its move';
    case 'move-carried':
      return event.fresh === null
        ? 'the new machine has its checkpoint and its conversation'
        : `the new machine has its checkpoint; its agent begins a new conversation: ${event.fresh}`;
    case 'move-not-carried':
      return `Drover could not bring its work to the new machine: ${event.why}`;
    case 'machine-removed':
      return 'its machine was removed from the fleet';
    case 'cancel-requested':
      return `${event.by} asked for "cancel"`;
    case 'escalation-answered':
      return `${event.by} answered "${event.option}"`;
    case 'run-turn-requested':
      return `its run gave it ${event.handBack === true ? 'one last turn' : `attempt ${event.run.attempt}`}`;
    case 'run-released':
      return `its run released it: ${event.why}`;
    case 'repair-requested':
      return REPAIRED[event.repair.kind];
    case 'checkpoint-requested':
    case 'restore-requested':
    case 'up-requested':
    case 'down-requested':
    case 'start-requested':
    case 'message-requested':
    case 'reject-requested':
    case 'rebase-requested':
      return `a person asked for "${event.kind.replace('-requested', '')}"`;
    case 'nuke-requested':
      return `a person asked for "nuke"${event.task === undefined ? '' : `, and for its task "${event.task}"`}`;
    case 'accept-requested':
      return event.pin ? `a person accepted ${event.pin.head.slice(0, 12)}` : 'a person asked for "accept"';
    default:
      return event satisfies never;
  }
}

const REPAIRED: Readonly<Record<Repair['kind'], string>> = {
  'take-head': '"drover doctor" put the commit at HEAD up for review',
  ask: '"drover doctor" left the worker to a person',
  rebuilt: '"drover doctor" brought the worker back after its row was lost',
  times: '"drover doctor" set times in the future to now',
  commands: '"drover doctor" continued the numbers of commands after the last one that the machine has seen',
};

/** Names the other machine on which checks ran. */
function whereOf(result: CommandResult): string {
  return 'on' in result && result.on !== undefined ? ` on the machine "${result.on}"` : '';
}
