/** The promises of a move to another machine (docs/adr/0019-parcels-and-frozen-places.md). */
import type { Command } from '../../machine/commands.ts';
import type { Moment, Watch } from '../history.ts';
import { recordsOf, resultOf } from './rule.ts';
import type { Rule } from './rule.ts';

/** M1. */
export const M1: Rule = {
  letter: 'M1',
  holds: 'a worker is of another machine only when no agent can be left on the one before',
  watch: neverTwo,
};

/** M2. */
export const M2: Rule = {
  letter: 'M2',
  holds: 'a place goes to the trash only when its work is elsewhere, and the worker with it',
  watch: nothingLost,
};

/** M3. */
export const M3: Rule = {
  letter: 'M3',
  holds: 'a move that is under way is heard of again, and nothing else begins in either place',
  watch: goesOn,
};

/** Commands after which an agent may live on the machine. */
const STARTING: ReadonlySet<Command['kind']> = new Set<Command['kind']>(['open', 'respawn']);

function neverTwo(): Watch {
  /** True if an agent may live on the machine that the row is of. */
  let mayLive = false;
  return (moment) => {
    const { decision } = moment;
    const result = resultOf(moment);
    if (isAgentFound(moment)) mayLive = true;
    if (result?.kind === 'closed' || result?.kind === 'frozen' || isAgentGone(moment)) mayLive = false;
    const changed = recordsOf(moment, 'machine-changed');
    if (changed.length > 1) return 'the machine of the worker changes twice in one decision';
    if (changed.length === 1 && mayLive)
      return 'the worker is of another machine, and its agent may live on the former';
    if (changed.length === 1 && decision.commands.some(({ command }) => STARTING.has(command.kind)))
      return 'an agent is started before its worktree is there';
    if (decision.commands.some(({ command }) => STARTING.has(command.kind))) mayLive = true;
    return null;
  };
}

/** Tells whether the machine reports an agent that was not known. While a command is in flight the list may be older than its result (R7). */
function isAgentFound({ before, event }: Moment): boolean {
  if (event.kind !== 'panes-listed' || event.pane?.dead !== false) return false;
  return before.session.pane.kind === 'absent' && before.command.inFlight === null;
}

/** Tells whether the machine reports that the agent known to it has ended. */
function isAgentGone({ before, event, decision }: Moment): boolean {
  const { pane } = before.session;
  const isTold = event.kind === 'pane-exited' || (event.kind === 'panes-listed' && event.pane === null);
  const isLive = pane.kind === 'up' || pane.kind === 'starting';
  return isTold && isLive && !['up', 'starting'].includes(decision.worker.session.pane.kind);
}

function nothingLost(): Watch {
  /** Machine that the row is of; null until a move names it. */
  let at: string | null = null;
  let isSaved = false;
  return (moment) => {
    const { before, decision, event } = moment;
    const { move } = before;
    if (event.kind === 'move-requested' && decision.reply.kind === 'accepted') at = event.route.from.id;
    if (resultOf(moment)?.kind === 'frozen' && move.kind === 'leaving')
      isSaved = recordsOf(moment, 'carriage').length > 0;
    for (const { from, to } of recordsOf(moment, 'machine-changed')) {
      if (at !== null && at !== from) return `the worker leaves "${from}" and is on "${at}"`;
      if (move.kind === 'carrying' && !isSaved) return 'the worker leaves without its work';
      at = to;
    }
    for (const { machine } of recordsOf(moment, 'place-left')) {
      if (machine === at) return 'the place that the worker is in goes to the trash';
      const isForward = decision.worker.move.kind === 'none';
      const { pane } = decision.worker.session;
      const isSeen = pane.kind === 'up' && pane.seen !== null && pane.seen.state.kind !== 'unknown';
      if (isForward && !isSeen) return 'the former place goes to the trash, and no agent was seen in the new one';
    }
    return null;
  };
}

/** Commands allowed for a worker that is between two places: those that end, save, let in or bring back, and look. */
const BETWEEN: ReadonlySet<Command['kind']> = new Set<Command['kind']>([
  'close',
  'freeze',
  'let-in',
  'restore',
  'observe',
]);

function goesOn(): Watch {
  let isLetIn = true;
  return (moment) => {
    const { before, decision } = moment;
    const { worker, commands, records } = decision;
    const { move } = worker;
    if (['frozen', 'let-in'].includes(resultOf(moment)?.kind ?? '')) isLetIn = resultOf(moment)?.kind === 'let-in';
    if (recordsOf(moment, 'machine-changed').length > 0) isLetIn = false;
    if (!isLetIn && commands.some(({ command }) => STARTING.has(command.kind)))
      return 'an agent is started in a place that is frozen';
    if (move.kind === 'none') return null;
    if (Object.keys(worker.deadlines).length === 0) return `nothing is armed for a worker that is ${move.kind}`;
    if (move.kind === 'carrying' && before.move.kind === 'carrying' && commands.length > 0)
      return 'a machine is told something while the work is carried';
    const isShown = move.kind === 'arriving' && move.step === 'show';
    const other = commands.find(({ command }) => !BETWEEN.has(command.kind));
    if (!isShown && other !== undefined) return `"${other.command.kind}" for a worker that is ${move.kind}`;
    return records.some(({ kind }) => kind === 'gone') ? 'a worker is removed on its way' : null;
  };
}
