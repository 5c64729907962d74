/** Tells a worker's history step by step, for tests that read like one. */
import { decide } from '../decide.ts';
import type { DecisionRecord } from '../decision/records.ts';
import type { MergeFacts, Ways } from '../decision/facts.ts';
import type { Reply } from '../decision/step.ts';
import { UTC } from '../limits/calendar.ts';
import type { AgentState } from '../agent-state.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import type { Policy } from '../policy/policy.ts';
import type { WorkerEvent } from '../worker/event.ts';
import type { Command, CommandResult, Verdict } from '../machine/commands.ts';
import type { Trust } from '../machine/trust.ts';
import type { DeliveryEvidence, GitFacts, Reading, Receipt } from '../machine/reading.ts';
import type { ResultSeen } from '../run/task.ts';
import { newWorker } from '../worker/worker.ts';
import type { DeadlineName } from '../worker/deadline.ts';
import type { Worker } from '../worker/worker.ts';
import { changeSlices } from './change.ts';
import type { Changes } from './change.ts';

const EMPTY = { kind: 'empty' } as const;
export const READY: AgentState = { kind: 'ready', after: 'completed', composer: EMPTY };
export const ASKED: AgentState = { kind: 'ready', after: 'asked', composer: EMPTY };
export const BUSY: AgentState = { kind: 'processing', queued: false, composer: EMPTY };
export const RECEIPT: Receipt = {
  evidence: ["transcript: it holds the prompt's words"],
  steps: [],
  method: 'paste',
  bytes: 4,
  enters: 1,
};
export const GIT: GitFacts = { head: 'aaaa', ahead: 0, dirty: 0, subject: 'base', rebasing: false, unmerged: 0 };

/** Plays events one after the other and remembers what followed. */
export class Story {
  worker: Worker = newWorker();
  now = 1_000_000;
  reply: Reply = { kind: 'accepted' };
  records: readonly DecisionRecord[] = [];
  rules: readonly string[] = [];
  /** Commands given so far, oldest first, other than saves. */
  readonly commands: Command[] = [];
  /** Commands to save. The machine carries them out at once, unless the story says otherwise. */
  readonly saves: Extract<Command, { kind: 'checkpoint' }>[] = [];
  savesAtOnce = true;
  /** Commit of a save; null: there was nothing to save. */
  saveCommit: string | null = null;
  policy: Policy = DEFAULT_POLICY;
  trust: Trust = {};
  othersIdle = 0;
  elsewhere: Ways['elsewhere'];
  /** Result that a check reads for a run's task. */
  result: ResultSeen | undefined;
  lease: MergeFacts['lease'] = 'free';
  connected = true;
  isAboard: boolean | undefined;
  checkPlace: MergeFacts['checkPlace'];
  #incarnations = 0;

  /** Puts the worker into a state that is hard to reach by events. */
  change(changes: Changes): this {
    this.worker = changeSlices(this.worker, changes);
    return this;
  }

  hear(event: WorkerEvent): this {
    this.now += 10;
    this.records = [];
    this.#decide(event);
    while (this.savesAtOnce && this.worker.command.inFlight?.command.kind === 'checkpoint') {
      const { rules, reply } = this;
      const result = { kind: 'checkpointed', commit: this.saveCommit, head: 'aaaa', dirty: 0 } as const;
      this.#decide({ kind: 'command-finished', seq: this.worker.command.inFlight.seq, result });
      this.rules = rules;
      this.reply = reply;
    }
    return this;
  }

  #decide(event: WorkerEvent): void {
    const fresh = `00000000-0000-7000-8000-${String(this.now).padStart(12, '0')}`;
    const decision = decide(this.worker, event, {
      now: this.now,
      fresh,
      policy: this.policy,
      merge: { lease: this.lease, isAboard: this.isAboard, checkPlace: this.checkPlace },
      machineConnected: this.connected,
      random: 0.5,
      zone: UTC,
      profile: 'sim',
      trust: this.trust,
      ways: { othersIdle: this.othersIdle, elsewhere: this.elsewhere },
    });
    this.worker = decision.worker;
    this.reply = decision.reply;
    this.records = [...this.records, ...decision.records];
    this.rules = decision.rules;
    for (const { command } of decision.commands) {
      if (command.kind === 'checkpoint') this.saves.push(command);
      if (command.kind !== 'checkpoint' || !this.savesAtOnce) this.commands.push(command);
    }
  }

  /** Answers the command that the machine is carrying out. */
  answer(result: CommandResult): this {
    return this.hear({ kind: 'command-finished', seq: this.worker.command.inFlight?.seq ?? 0, result });
  }

  see(state: AgentState): this {
    this.now += 10;
    return this.hear({ kind: 'screen-seen', incarnation: this.incarnation, reading: this.#readingOf(state) });
  }

  /** Answers a check, the command `observe`, with this screen and this git. */
  checked(state: AgentState, git: Partial<GitFacts> = {}, delivery: DeliveryEvidence | null = null): this {
    this.now += 10;
    const screen = this.#readingOf(state);
    const known = { incarnation: this.incarnation, screen, git: { ...GIT, ...git }, delivery, result: this.result };
    return this.answer({ kind: 'observed', ...known });
  }

  /** Answers a check with nothing new in git and a screen that was read at `at`. */
  checkedAt(at: number, state: AgentState): this {
    const screen = { ...this.#readingOf(state), at };
    return this.answer({ kind: 'observed', incarnation: this.incarnation, screen, git: GIT, delivery: null });
  }

  exit(status: number | null, signal: number | null = null, lastLines: readonly string[] = []): this {
    return this.hear({
      kind: 'pane-exited',
      exit: { incarnation: this.incarnation, status, signal, lastLines, limit: null, at: this.now },
    });
  }

  /** Passes the time to the deadline, and the deadline. */
  pass(name: DeadlineName): this {
    const due = this.worker.deadlines[name];
    if (due === undefined)
      throw new Error(`The deadline "${name}" is not armed; armed: ${Object.keys(this.worker.deadlines).join(', ')}`);
    this.now = Math.max(this.now, due);
    return this.hear({ kind: 'deadline-expired', name });
  }

  opened(): this {
    this.#incarnations += 1;
    return this.answer({ kind: 'opened', incarnation: `1.1.%1.${this.#incarnations}` });
  }

  delivered(): this {
    this.now += 10;
    return this.answer({ kind: 'delivered', at: this.now, receipt: RECEIPT });
  }

  /** Accepts the work as a person has just seen it. */
  accepted(): this {
    return this.hear({ kind: 'accept-requested', pin: { head: this.worker.worktree.git?.head ?? '', tree: null } });
  }

  /** Answers the rebase in flight; without `head` there was nothing to do. */
  rebased({ base = 'aaaa', head }: { base?: string; head?: string } = {}): this {
    const command = this.worker.command.inFlight?.command;
    const from = (command?.kind === 'rebase' ? command.at?.head : undefined) ?? this.worker.worktree.git?.head ?? '';
    const now = head ?? from;
    return this.answer({ kind: 'rebased', base, from, head: now, moved: now !== from });
  }

  /** Makes the candidate of the commit of the command in flight. */
  candidate(made: Partial<MadeCandidate> = {}): this {
    const command = this.worker.command.inFlight?.command;
    const head = made.head ?? (command?.kind === 'candidate' ? (command.at?.head ?? '') : '');
    return this.answer({ ...candidateOf(head, made.base ?? 'aaaa'), ...made });
  }

  /** Lets the commit of the command in flight conflict with the default branch. */
  clash(base = 'dddd', files: readonly string[] = ['a']): this {
    const command = this.worker.command.inFlight?.command;
    const head = command?.kind === 'candidate' ? (command.at?.head ?? '') : '';
    return this.answer({ kind: 'clash', head, base, files });
  }

  /** Lets the commit of the command in flight stand on one that the default branch has dropped. */
  rewritten(dropped: string, base = 'dddd'): this {
    const command = this.worker.command.inFlight?.command;
    const head = command?.kind === 'candidate' ? (command.at?.head ?? '') : '';
    return this.answer({ kind: 'rewritten', head, base, dropped });
  }

  /** Lets the default branch contain the commit of the command in flight. */
  contained(base = 'dddd'): this {
    const command = this.worker.command.inFlight?.command;
    const head = command?.kind === 'candidate' ? (command.at?.head ?? '') : '';
    return this.answer({ kind: 'contained', head, base });
  }

  /** Ends the turn over the conflicts, and lets git judge their end. */
  judged(verdict: Verdict, head = verdict === 'aborted' ? CONFLICT.orig : 'eeee'): this {
    const prompt = ['resolved', 'aborted', 'contained'].includes(verdict) ? '' : `mend ${verdict}`;
    this.see(READY).pass('settle').checked(READY, { head, ahead: 1 });
    return this.answer({ kind: 'judged', verdict, head, why: `was ${verdict}`, prompt, notes: ['look'] });
  }

  /** Passes the checks of the project on the commit of the command in flight. */
  valid(checks = CHECKS): this {
    const command = this.worker.command.inFlight?.command;
    const head = command?.kind === 'validate' ? command.at.head : '';
    return this.answer({ kind: 'valid', head, tree: treeOf(head), checks });
  }

  /** Moves the default branch to the commit of the command in flight, and proves that it contains it. */
  published(): this {
    const command = this.worker.command.inFlight?.command;
    const commit = command?.kind === 'publish' ? command.commit : '';
    return this.answer({ kind: 'published', commit }).answer({ kind: 'proven', commit });
  }

  get incarnation(): string {
    const { pane } = this.worker.session;
    return pane.kind === 'absent' ? 'none' : pane.incarnation;
  }

  get last(): Command | undefined {
    return this.commands.at(-1);
  }

  #readingOf(state: AgentState): Reading {
    return { at: this.now, state, fingerprint: state.kind, progress: String(this.now), rule: 'test' };
  }
}

/** Rebases a worker's work in its worktree, after it waited for review and conflicts by now. */
export function beingRebased(): Story {
  return inReview().hear({ kind: 'default-branch-moved' }).clash();
}

/** Gives conflicts to an agent, in a fresh context, which works on them. */
export function resolving(): Story {
  return beingRebased().answer(CONFLICT).opened().see(READY).delivered().see(BUSY);
}

/** Result of a rebase in the worktree that leaves conflicts. */
export const CONFLICT: Extract<CommandResult, { kind: 'conflict' }> = {
  kind: 'conflict',
  files: ['a'],
  prompt: 'resolve',
  onto: 'dddd',
  orig: 'bbbb',
};

type MadeCandidate = Extract<CommandResult, { kind: 'candidate' }>;

/** Names the checks of the project in stories. */
export const CHECKS = 'make';

/** Returns the candidate of a commit on a base in stories. */
export function candidateOf(head: string, base: string): MadeCandidate {
  const commit = `${head} on ${base}`;
  return {
    kind: 'candidate',
    head,
    headTree: treeOf(head),
    base,
    commit,
    tree: treeOf(commit),
    checks: CHECKS,
    notes: [],
  };
}

/** Returns the tree of a commit in stories. */
export function treeOf(head: string): string {
  return `tree of ${head}`;
}

/** Begins with a worker that is up, idle and ready. */
export function idle(): Story {
  const story = new Story().hear({ kind: 'up-requested' });
  return story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }).opened().see(READY);
}

/** Begins with a worker whose agent has taken a task. */
export function working(): Story {
  const story = idle().hear({ kind: 'start-requested', taskId: 't1', prompt: 'make it so', text: 'make it so' });
  return story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }).delivered().see(BUSY);
}

/** Begins with a worker whose turn has ended with a commit, of which the machine makes the candidate. */
export function committed(): Story {
  return working().see(READY).pass('settle').checked(READY, { head: 'bbbb', ahead: 1, subject: 'work' });
}

/** Begins with a worker whose commit passed the checks and waits for review. */
export function inReview(): Story {
  return committed().candidate().valid();
}
