/** A world around a run: workers, accounts, machines, a depot and people. It keeps its own ledger, with which promises are compared. */
import { DEFAULT_POLICY } from '../../policy/policy.ts';
import type { Dice } from '../../testing/dice.ts';
import { decideRun } from '../decide-run.ts';
import type { RunEvent } from '../event.ts';
import { allItems, findItem, planOf, stageName } from '../find.ts';
import type { RunRequest } from '../request.ts';
import { isOver } from '../run.ts';
import type { Run, RunDeadlineName } from '../run.ts';
import type { RunDecision } from '../step.ts';
import { drawAnswer, drawBudgetNews, drawEnd, drawNotPinned } from './agents.ts';

interface SimWorker {
  readonly id: string;
  readonly profile: string;
  readonly account: string;
}

/** Facts that the world knows of the run, from requests that it carried out. */
export interface Ledger {
  /** Items that a worker has, by worker. */
  readonly live: Map<string, string>;
  readonly pinned: Set<string>;
  /** Commits that an end of a task named, by worker, and that nobody pinned yet. */
  readonly unsafe: Map<string, Set<string>>;
  readonly passedChecks: Set<string>;
  /** Commits for whose merge a person said yes. */
  readonly agreed: Set<string>;
}

export interface Moment {
  readonly before: Run;
  readonly event: RunEvent;
  readonly decision: RunDecision;
  readonly ledger: Ledger;
  readonly now: number;
}

const WORKERS: readonly SimWorker[] = [
  { id: 'w1', profile: 'claude', account: 'a1' },
  { id: 'w2', profile: 'claude', account: 'a1' },
  { id: 'w3', profile: 'codex', account: 'a2' },
  { id: 'w4', profile: 'codex', account: 'a2' },
  { id: 'w5', profile: 'claude', account: 'a1' },
];

const EVENTS_MAX = 1_500;

export class World {
  run: Run;
  now = 0;
  readonly ledger: Ledger = {
    live: new Map(),
    pinned: new Set(),
    unsafe: new Map(),
    passedChecks: new Set(),
    agreed: new Set(),
  };
  readonly #dice: Dice;
  readonly #watch: (moment: Moment) => void;
  readonly #todo: RunEvent[] = [];
  readonly #heard: RunEvent[] = [];
  readonly #limited = new Set<string>();
  #names = 0;

  constructor(run: Run, dice: Dice, watch: (moment: Moment) => void) {
    this.run = run;
    this.#dice = dice;
    this.#watch = watch;
  }

  /** Plays until the run is over. @returns false if it never was. */
  play(): boolean {
    this.#tell({ kind: 'requested' });
    for (let count = 0; count < EVENTS_MAX; count += 1) {
      if (isOver(this.run) && this.#todo.length === 0) return true;
      this.#tell(this.#next(count));
    }
    return false;
  }

  #tell(event: RunEvent): void {
    const before = this.run;
    this.now += Math.floor(this.#dice.next() * 30_000);
    const decision = decideRun(before, event, { now: this.now, random: this.#dice.next(), policy: DEFAULT_POLICY });
    this.#note(event, before);
    this.#watch({ before, event, decision, ledger: this.ledger, now: this.now });
    this.run = JSON.parse(JSON.stringify(decision.run)) as Run;
    this.#heard.push(event);
    for (const request of decision.requests) this.#carryOut(request);
  }

  #next(count: number): RunEvent {
    const dice = this.#dice;
    // Rows of due work may come twice, and late.
    const old = this.#heard[Math.floor(dice.next() * this.#heard.length)];
    if (dice.chance(0.08) && old !== undefined && old.kind !== 'person-acted') return old;
    if (dice.chance(0.04)) return this.#surprise();
    const at = dice.chance(0.2) ? Math.floor(dice.next() * this.#todo.length) : 0;
    const [event] = this.#todo.splice(at, 1);
    if (event !== undefined && dice.chance(0.85)) return event;
    if (event !== undefined) this.#todo.push(event);
    return this.#atWork(count) ?? this.#deadline();
  }

  /** Lets an agent or a person come to an end. */
  #atWork(count: number): RunEvent | null {
    const dice = this.#dice;
    const [question] = this.run.questions;
    if (count > EVENTS_MAX / 2) return { kind: 'person-acted', act: 'stop', by: 'mia' };
    const running = allItems(this.run).filter(({ progress }) => progress.kind === 'running');
    if (question !== undefined && (running.length === 0 || dice.chance(0.3))) return drawAnswer(dice, question);
    const item = running[Math.floor(dice.next() * running.length)];
    if (item?.worker == null || dice.chance(0.2)) return null;
    const { name, attempt, returns } = item;
    if (dice.chance(0.1))
      return { kind: 'agent-asked', item: name, attempt, workerId: item.worker.workerId, name: 'ada', text: 'ESM?' };
    if (dice.chance(0.3))
      return {
        kind: 'usage',
        item: name,
        attempt,
        since: 7,
        usage: {
          input: Math.floor(dice.next() * 4_000),
          cached: 10,
          output: 100,
          money: dice.pick([null, dice.next() * 2]),
        },
      };
    const findings = this.run.stages.flatMap(({ rounds }) => rounds.at(-1)?.findings.map(({ id }) => id) ?? []);
    const end = drawEnd(dice, {
      returns,
      fresh: this.#fresh('c'),
      findings:
        returns === 'commit' && findings.length > 0 && dice.chance(0.9)
          ? findings
          : returns === 'review'
            ? findings
            : [],
    });
    // A worker may tell of another attempt, or of an item that it does not have.
    const told = dice.chance(0.05) ? attempt - 1 : attempt;
    const workerId = dice.chance(0.04) ? 'w9' : item.worker.workerId;
    return { kind: 'task-ended', item: name, attempt: told, workerId, end };
  }

  #surprise(): RunEvent {
    const dice = this.#dice;
    const roll = dice.next();
    if (roll < 0.5) {
      const account = dice.pick(['a1', 'a2']);
      const isLimited = !this.#limited.has(account);
      if (isLimited) this.#limited.add(account);
      else this.#limited.delete(account);
      return { kind: 'account-changed', account, isLimited, until: dice.pick([null, this.now + 600_000]) };
    }
    const [workerId, isAway] = [dice.pick(['w1', 'w2', 'w3']), dice.chance(0.5)];
    if (roll < 0.6) return { kind: 'worker-asks', workerId, text: dice.pick([null, 'asks: Why?']) };
    if (roll < 0.7) return drawBudgetNews(dice);
    if (roll < 0.72) return { kind: 'home-changed', isAway };
    if (roll < 0.8) return { kind: 'machine-changed', workerId, isAway, isGone: dice.chance(0.2) };
    if (roll < 0.95) return { kind: 'person-acted', act: this.run.paused === null ? 'pause' : 'resume', by: 'mia' };
    return { kind: 'person-acted', act: dice.chance(0.2) ? 'stop' : 'resume', by: 'mia' };
  }

  #deadline(): RunEvent {
    const armed = Object.entries(this.run.deadlines) as [RunDeadlineName, number][];
    const [first] = armed.toSorted(([, one], [, other]) => one - other);
    if (this.run.paused !== null && this.#dice.chance(0.5)) return { kind: 'person-acted', act: 'resume', by: 'mia' };
    if (first === undefined) return { kind: 'deadline', name: 'budget' };
    this.now = Math.max(this.now, first[1]);
    return { kind: 'deadline', name: first[0] };
  }

  /** Notes what an event proves. */
  #note(event: RunEvent, before: Run): void {
    if (event.kind === 'task-ended') this.#noteEnd(event, before);
    if (event.kind === 'pinned' && event.commit !== null) {
      const { commit } = event;
      this.ledger.pinned.add(commit);
      for (const commits of this.ledger.unsafe.values()) commits.delete(commit);
    }
    // A pin that fails for good is told, and the worker keeps what it made.
    if (event.kind === 'not-pinned') this.ledger.unsafe.clear();
    // Work on a machine that a person revoked is lost.
    if (event.kind === 'machine-changed' && event.isGone === true) this.ledger.unsafe.delete(event.workerId);
    if (event.kind === 'answered' && event.option === 'accept' && event.commit !== null)
      this.ledger.agreed.add(event.commit);
  }

  #noteEnd(event: Extract<RunEvent, { kind: 'task-ended' }>, before: Run): void {
    const item = findItem(before, event.item);
    const isPresent =
      item?.attempt === event.attempt && item.worker?.workerId === event.workerId && item.progress.kind === 'running';
    const isHandBack = item?.progress.kind === 'running' && item.progress.handBackUntil !== null;
    if (isPresent && event.end.commit !== null && !isHandBack) {
      const unsafe = this.ledger.unsafe.get(event.workerId) ?? new Set();
      this.ledger.unsafe.set(event.workerId, unsafe.add(event.end.commit));
    }
    if (isPresent && event.end.kind === 'taken-away') this.ledger.live.delete(event.workerId);
  }

  #fresh(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  #carryOut(request: RunRequest): void {
    const dice = this.#dice;
    const { id } = request;
    switch (request.kind) {
      case 'start':
      case 'send':
        this.#place(request);
        return;
      case 'pin':
        if (dice.chance(0.1)) this.#todo.push(drawNotPinned(dice, request, this.#fresh('wip')));
        else {
          const commit = request.commit ?? (dice.chance(0.5) ? this.#fresh('wip') : null);
          this.#todo.push({ kind: 'pinned', request: id, commit, tree: commit === null ? null : `tree of ${commit}` });
        }
        return;
      case 'check': {
        const how = dice.pick(['passed', 'passed', 'passed', 'failed', 'cannot-run'] as const);
        if (how === 'passed') this.ledger.passedChecks.add(request.commit.commit);
        this.#todo.push({ kind: 'checked', request: id, how, output: 'output', culprit: null });
        return;
      }
      case 'join': {
        const commit = this.#fresh('j');
        this.ledger.pinned.add(commit);
        const [first] = request.commits;
        if (dice.chance(0.2) && first !== undefined)
          this.#todo.push({
            kind: 'conflict',
            request: id,
            items: [first.item],
            commit,
            tree: `tree of ${commit}`,
            files: ['a.ts'],
          });
        else this.#todo.push({ kind: 'joined', request: id, commit, tree: `tree of ${commit}` });
        return;
      }
      case 'accept':
        if (dice.chance(0.2))
          this.#todo.push({ kind: 'not-accepted', request: id, text: 'it conflicts', isLost: dice.chance(0.5) });
        else this.#todo.push({ kind: 'accepted', request: id, commit: this.#fresh('m'), offered: null });
        return;
      case 'release':
        this.ledger.live.delete(request.workerId);
        this.#todo.push({ kind: 'released', request: id, workerId: request.workerId });
        return;
      case 'tell':
      case 'hand-back':
      case 'forget':
      case 'ask':
      case 'withdraw':
    }
  }

  #place(request: Extract<RunRequest, { kind: 'start' | 'send' }>): void {
    const dice = this.#dice;
    const { id, item } = request;
    const base = { request: id, item: item.item, attempt: item.attempt };
    if (request.kind === 'send' && dice.chance(0.1)) {
      this.ledger.live.delete(request.workerId);
      this.#todo.push({ kind: 'not-placed', request: id, why: 'gone', account: null, until: null, text: 'it is gone' });
      return;
    }
    const free = WORKERS.filter(({ id: workerId, account, profile }) =>
      request.kind === 'send'
        ? workerId === request.workerId
        : !this.ledger.live.has(workerId) && !this.#limited.has(account) && !request.wish.notProfiles.includes(profile),
    );
    const worker = free[Math.floor(dice.next() * free.length)];
    if (worker === undefined || dice.chance(0.1)) {
      const why = dice.pick(['busy', 'account', 'machine', 'budget', 'never', 'no-commits'] as const);
      const told = { kind: 'not-placed', request: id, text: 'nobody is there' } as const;
      const scope = dice.pick(['worker', 'day'] as const);
      const use = { scope, share: 1.1, words: 'so much' };
      this.#todo.push(
        why === 'budget'
          ? { ...told, why, spent: { use, workerId: worker?.id ?? 'w1', dayEndsAt: this.now + 600_000 } }
          : { ...told, why, account: why === 'account' ? 'a1' : null, until: null },
      );
      return;
    }
    this.ledger.live.set(worker.id, item.item);
    const { profile, account } = worker;
    this.#todo.push({ kind: 'placed', ...base, workerId: worker.id, name: worker.id, profile, account });
  }
}

/** Tells whether an item's work must be checked. */
export function mustBeChecked(run: Run, name: string): boolean {
  const plan = planOf(run, stageName(name));
  return ('check' in plan && plan.check !== null) || (findItem(run, name)?.part?.check ?? []).length > 0;
}
