/** Merges only work that a person accepted, that was checked, and that is proven to be there (docs/git.md, what always holds). */
import type { Success, Verdict } from '../../machine/commands.ts';
import type { Moment, Watch } from '../history.ts';
import { ended, isPersons, recordsOf, resultOf } from './rule.ts';
import type { Rule } from './rule.ts';
import { isAccepting } from '../../merge/step.ts';

type Made = Extract<Success, { kind: 'candidate' }>;

/** Facts that a history has shown of the merge since the last accept. */
interface Seen {
  readonly accepted: { readonly head: string; readonly tree: string | null; readonly nothing: boolean };
  /** The last candidate. */
  made: Made | null;
  /** Commits built on it, of work that people accepted: the last commit of each prefix. */
  chain: readonly string[];
  /** Commits of the accepted work: the last candidate, and those that a conductor has made of it. */
  commits: readonly string[];
  /** Commits that the default branch contains, as a machine saw. */
  readonly proven: Set<string>;
  /** True if the default branch had all of the accepted commit already. */
  contained: boolean;
  /** Commits of the worker that were offered as a branch. */
  readonly offered: Set<string>;
}

/** Rule for each commit that the default branch is moved to (docs/adr/0016-merges-are-candidates.md). */
export const G2: Rule = {
  letter: 'G2',
  holds: 'nothing is published that Drover did not make of what a person accepted',
  watch: () =>
    watchMerge((seen, { decision }) => {
      for (const { command } of decision.commands) {
        if (command.kind !== 'publish') continue;
        if (seen === null) return `"${command.commit}" is published, and no person accepted anything`;
        const { accepted, made, chain } = seen;
        if (made === null || !chain.includes(command.commit) || made.base !== command.base)
          return `"${command.commit}" is published, which is not the last candidate`;
        if (made.head !== accepted.head || (accepted.tree !== null && accepted.tree !== made.headTree))
          return `"${command.commit}" is published, made of "${made.head}"; accepted was "${accepted.head}"`;
      }
      return null;
    }),
};

/** Rule for checks: on these very files, with the checks as they are now. */
export const G3: Rule = {
  letter: 'G3',
  holds: 'nothing is published on whose files the checks did not pass',
  watch: watchChecks,
};

/** Rule for proof, also if a machine said that it published the commit. */
export const G5: Rule = {
  letter: 'G5',
  holds: 'work counts as accepted only when the default branch contains it',
  watch: () =>
    watchMerge((seen, moment) => {
      const isAccepted = recordsOf(moment, 'task').some(({ status }) => status === 'accepted');
      const isIn = seen !== null && (seen.contained || seen.commits.some((commit) => seen.proven.has(commit)));
      return isAccepted && !isIn ? 'work is accepted of which no machine has seen that it is merged' : null;
    }),
};

/** Rule for work that is in the default branch already: the person is notified, and says so. */
export const G7: Rule = {
  letter: 'G7',
  holds: 'where nothing is merged, only a person ends the task as accepted',
  watch: () =>
    watchMerge((seen, moment) => {
      const isAccepted = recordsOf(moment, 'task').some(({ status }) => status === 'accepted');
      const isOffered = seen !== null && seen.contained && seen.offered.has(seen.accepted.head);
      const isMerged = isOffered || (seen !== null && seen.proven.size > 0);
      return isAccepted && !isMerged && seen?.accepted.nothing !== true
        ? 'work is accepted though nothing of it was merged, and no person said so'
        : null;
    }),
};

/** Rule for conflicts: the agent's words and acts meanwhile end nothing. */
export const G9: Rule = {
  letter: 'G9',
  holds: 'conflicts in the hands of an agent are over when git says so, or when a person turns to something else',
  watch: watchConflicts,
};

function watchMerge(judge: (seen: Seen | null, moment: Moment) => string | null): Watch {
  let seen: Seen | null = null;
  return (moment) => {
    const { event } = moment;
    const isNew = !isAccepting(moment.before.merge.step);
    if (isPersons(moment) && event.kind === 'accept-requested' && isNew) {
      if (event.pin === null) return 'accepted without a word of what was reviewed';
      const accepted = { ...event.pin, nothing: event.nothing === true };
      // A task that is offered as a branch may be accepted again.
      const offered = moment.before.task.kind === 'none' ? undefined : seen?.offered;
      seen = {
        accepted,
        made: null,
        chain: [],
        commits: [],
        proven: new Set(),
        contained: false,
        offered: offered ?? new Set(),
      };
    }
    if (seen !== null) follow(seen, moment);
    return judge(seen, moment);
  };
}

function follow(seen: Seen, moment: Moment): void {
  // A worker that is not aboard does not listen.
  const isAboard = moment.before.merge.step.kind === 'aboard';
  if (moment.event.kind === 'train-landed' && isAboard) seen.commits = [moment.event.commit];
  const command = ended(moment)?.command;
  const result = resultOf(moment);
  if (command === undefined || result === null) return;
  if (command.kind === 'candidate') {
    seen.made = result.kind === 'candidate' ? result : null;
    seen.chain = result.kind === 'candidate' ? [result.commit] : [];
    seen.commits = seen.chain;
  }
  if (command.kind === 'extend' && result.kind === 'extended') {
    const isMadeOfAccepted = result.links.every(({ worker, head }) =>
      command.items.some((item) => item.worker === worker && item.at.head === head),
    );
    seen.chain = isMadeOfAccepted ? [command.onto, ...result.links.map(({ commit }) => commit)] : [];
  }
  if (command.kind === 'candidate' && result.kind === 'contained')
    seen.contained ||= result.head === seen.accepted.head;
  if (command.kind === 'publish' && result.kind === 'offered' && result.commit === command.commit)
    seen.offered.add(seen.accepted.head);
  if (command.kind === 'prove' && result.kind === 'proven' && result.commit === command.commit)
    seen.proven.add(result.commit);
}

function watchChecks(): Watch {
  /** Trees on which named checks passed. */
  const passed = new Set<string>();
  /** Name of the present checks, and the tree of each commit that could be published. */
  let checks = '';
  let trees: ReadonlyMap<string, string> = new Map();
  return (moment) => {
    const command = ended(moment)?.command;
    const result = resultOf(moment);
    if (command?.kind === 'candidate' && result?.kind === 'candidate') {
      ({ checks } = result);
      trees = new Map([[result.commit, result.tree]]);
    }
    if (command?.kind === 'extend' && result?.kind === 'extended')
      trees = new Map([...trees, ...result.links.map(({ commit, tree }) => [commit, tree] as const)]);
    const isOfThis = command?.kind === 'validate' && result?.kind === 'valid' && result.head === command.at.head;
    if (isOfThis && (result.tree === command.at.tree || command.at.tree === null)) {
      passed.add(`${result.tree} ${result.checks}`);
      // The check ran after the candidate was made.
      const isMerging = moment.before.merge.step.kind === 'checking';
      if (isMerging || trees.has(result.head)) ({ checks } = result);
    }
    for (const next of moment.decision.commands) {
      if (next.command.kind !== 'publish') continue;
      if (!passed.has(`${trees.get(next.command.commit)} ${checks}`))
        return `"${next.command.commit}" is published; checked were ${[...passed].join(', ')}`;
    }
    return null;
  };
}

/** Verdicts without a fault, and those with which a notified agent may be right. */
const OVER: ReadonlySet<Verdict> = new Set(['resolved', 'contained', 'aborted']);
const KEPT: ReadonlySet<Verdict> = new Set(['lost-own', 'undone-others']);

/** Requests of a person that make the conflicts theirs. */
const ANOTHER: ReadonlySet<string> = new Set([
  'start-requested',
  'restore-requested',
  'repair-requested',
  'escalation-answered',
]);

function watchConflicts(): Watch {
  let isKnown = false;
  let isOpen = false;
  return (moment) => {
    const { before, decision } = moment;
    if (!isKnown) [isKnown, isOpen] = [true, before.merge.conflicts?.open === true];
    const { merge, checkpoint } = decision.worker;
    const result = resultOf(moment);
    if (result?.kind === 'judged') {
      const wasTold = before.merge.conflicts?.told.includes(result.verdict) === true;
      if (OVER.has(result.verdict) || (KEPT.has(result.verdict) && wasTold)) isOpen = false;
    }
    const isAnother = isPersons(moment) && ANOTHER.has(moment.event.kind);
    if (isAnother || merge.conflicts === null || checkpoint.restore !== null) isOpen = false;
    if (isOpen && before.merge.step.kind !== 'reviewing' && merge.step.kind === 'reviewing')
      return `its work is checked, and nothing says that its conflicts are over (${decision.rules.join(', ')})`;
    if (result?.kind === 'conflict' && merge.conflicts !== null) isOpen = true;
    return null;
  };
}
