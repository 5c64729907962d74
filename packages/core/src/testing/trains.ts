/**
 * Plays a project whose people accept a lot: several workers, decided by the policy, on a default branch and checks that are sets of works.
 * Events come in any order, answers get lost, others push, machines fall silent. A seed decides everything.
 */
import type { Queue } from '../decision/facts.ts';
import type { Decision, WholeContext } from '../decision/step.ts';
import type { CommandResult } from '../machine/commands.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { UTC } from '../limits/calendar.ts';
import type { WorkerEvent } from '../worker/event.ts';
import type { Worker } from '../worker/worker.ts';
import { diceFrom } from './dice.ts';
import type { Dice } from './dice.ts';
import type { Decide } from './history.ts';
import { headOf, TrainProject, treeOf, worksOf } from './train-project.ts';
import { inReview } from './story.ts';
import { acceptOf, isAccepting, membersOf } from '../merge/step.ts';

/** Observations of a fleet: lines for a reader, and the first broken promise. */
export interface TrainReport {
  readonly broken: string | null;
  /** Number of times that things happened. */
  readonly seen: ReadonlyMap<string, number>;
}

interface One {
  readonly name: string;
  worker: Worker;
  /** Time of the accept's request, as long as the work is neither merged nor sent back. */
  place: number | null;
}

/** Events after which the fleet has to come to rest. */
const EVENTS = 400;

/** Plays one project. @returns the first promise that was broken, or null. */
export function playTrains(decide: Decide, seed: number): TrainReport {
  const fleet = new Fleet(decide, diceFrom(seed));
  return fleet.play();
}

class Fleet {
  readonly #decide: Decide;
  readonly #dice: Dice;
  readonly #workers: One[];
  readonly #project: TrainProject;
  #lease: string | null = null;
  #now = 1_000_000;
  #broken: string | null = null;
  readonly #seen = new Map<string, number>();

  constructor(decide: Decide, dice: Dice) {
    this.#decide = decide;
    this.#dice = dice;
    this.#project = new TrainProject(dice);
    this.#workers = Array.from({ length: 2 + Math.floor(dice.next() * 5) }, (_, index) => ({
      name: `w${index}`,
      worker: waiting(`w${index}`),
      place: null,
    }));
  }

  play(): TrainReport {
    for (let event = 0; event < EVENTS && this.#broken === null; event += 1) {
      this.#now += 1 + Math.floor(this.#dice.next() * 400);
      this.#happen(event < EVENTS / 2);
    }
    if (this.#broken === null) this.#checkRest();
    return { broken: this.#broken, seen: this.#seen };
  }

  #happen(isWild: boolean): void {
    const { inFlight, accepts } = this.#open();
    if (isWild && this.#dice.chance(0.15)) return this.#accept();
    if (isWild && this.#dice.chance(0.03)) return this.#push();
    if (isWild && this.#dice.chance(0.02)) {
      const one = this.#dice.pick(this.#many());
      return void this.#hear(one, { kind: 'machine-lost', silentMs: 90_000 });
    }
    if (inFlight.length > 0 && this.#dice.chance(0.7))
      return this.#answer(this.#dice.pick([inFlight[0] as One, ...inFlight.slice(1)]), isWild);
    for (const one of accepts) {
      const due = one.worker.deadlines.accept ?? one.worker.deadlines.hold;
      if (due === undefined || due > this.#now + 60_000 || this.#dice.chance(0.3)) continue;
      this.#now = Math.max(this.#now, due);
      const name = one.worker.deadlines.accept === undefined ? 'hold' : 'accept';
      return void this.#hear(one, { kind: 'deadline-expired', name });
    }
  }

  #many(): [One, ...One[]] {
    const [first, ...others] = this.#workers;
    if (first === undefined) throw new Error('There are no workers');
    return [first, ...others];
  }

  #open(): { inFlight: One[]; accepts: One[] } {
    const inFlight = this.#workers.filter(({ worker }) => worker.command.inFlight !== null);
    return { inFlight, accepts: this.#workers.filter(({ worker }) => isAccepting(worker.merge.step)) };
  }

  #accept(): void {
    const one = this.#workers.find(
      ({ worker }) => worker.lifecycle.status === 'needs_review' && !isAccepting(worker.merge.step),
    );
    if (one === undefined) return;
    one.place = this.#now;
    this.#hear(one, {
      kind: 'accept-requested',
      pin: { head: headOf(one.name), tree: null },
      more: this.#dice.chance(0.6),
    });
  }

  #push(): void {
    this.#project.push();
    this.#count('pushed');
  }

  #answer(one: One, isWild: boolean): void {
    const { inFlight } = one.worker.command;
    if (inFlight === null) return;
    // After three in a row a person is notified, and a merge that arrived all the same is theirs to end.
    const isLost = isWild && one.worker.command.failures < 2 && this.#dice.chance(0.06);
    const { main } = this.#project;
    const done = this.#project.carryOut(one.name, inFlight.command);
    if (done.kind === 'published') this.#checkPublished(main, done.commit);
    if (!isLost && inFlight.command.kind === 'validate') {
      this.#project.countRun(inFlight.command.at.head, done);
      this.#count(done.kind === 'valid' ? 'passed' : 'failed');
    }
    const result: CommandResult = isLost ? { kind: 'unknown', why: 'the machine agent died' } : done;
    this.#hear(one, { kind: 'command-finished', seq: inFlight.seq, result });
  }

  /** G2, G3: checks that the published commit was accepted, and has passed. */
  #checkPublished(before: readonly string[], commit: string): void {
    const works = worksOf(commit);
    const added = works.slice(before.length);
    if (added.length === 0 || before === this.#project.main) return;
    if ((this.#project.runs.get(treeOf(works))?.passed ?? 0) === 0)
      this.#break(`G3: ${works.join(' ')} is published, and no run of the checks passed on it`);
    for (const name of added)
      if (this.#named(name)?.place == null)
        this.#break(`G2: the work of ${name} is published, and nobody has accepted it`);
    this.#count(`published ${added.length}`);
  }

  /** Hears an event as the coordinator does: notices to other workers are decided in the same transaction. */
  #hear(one: One, event: WorkerEvent): void {
    const decision = this.#decide(one.worker, event, this.#factsFor(one));
    one.worker = decision.worker;
    this.#follow(one, decision);
    for (const entry of decision.records) {
      if (entry.kind === 'lease')
        this.#lease = entry.action === 'acquire' ? one.name : this.#lease === one.name ? null : this.#lease;
    }
    for (const entry of decision.records) {
      if (entry.kind !== 'train') continue;
      for (const { worker, event: told } of entry.told) {
        const other = this.#named(worker);
        if (other === undefined) this.#break(`${one.name} tells "${worker}", whom nobody knows`);
        else this.#hear(other, told);
      }
    }
  }

  #follow(one: One, decision: Decision): void {
    const accept = acceptOf(decision.worker.merge.step);
    if (accept !== null && one.place !== null && accept.since !== one.place) this.#break(`${one.name} lost its place`);
    if (decision.rules.includes('accept:contained')) this.#break(`${one.name} is merged, and did not hear of it`);
    if (decision.rules.includes('train:blame') || decision.rules.includes('train:culprit')) this.#checkBlame(one);
    for (const entry of decision.records)
      if (entry.kind === 'task' && entry.status === 'accepted') {
        this.#count('accepted');
        if (!this.#project.main.includes(one.name))
          this.#break(`G5: the work of ${one.name} counts as accepted, and is not in the default branch`);
      }
    if (accept === null) one.place = null;
  }

  /** G12: checks that a run passed right before, and that two failed with the work. */
  #checkBlame({ name }: One): void {
    this.#count('blamed');
    const isFair = [...this.#project.runs].some(([tree, { passed, failed }]) => {
      const works = worksOf(tree.slice('tree '.length));
      const without = this.#project.runs.get(treeOf(works.slice(0, -1)));
      return works.at(-1) === name && passed === 0 && failed > 1 && (without?.passed ?? 0) > 0;
    });
    if (!isFair) this.#break(`G12: ${name} is blamed without a run that passed before it and two that failed with it`);
  }

  #factsFor(one: One): WholeContext {
    const lease = this.#lease === null ? 'free' : this.#lease === one.name ? 'mine' : 'other';
    const isAboard = one.worker.merge.step.kind === 'aboard' ? this.#isMember(one) : undefined;
    return {
      now: this.#now,
      fresh: `fresh-${this.#now}`,
      policy: DEFAULT_POLICY,
      merge: { lease, isAboard, ...(lease === 'free' && { queue: this.#queueFor(one) }) },
      machineConnected: true,
      random: 0.5,
      zone: UTC,
      profile: 'sim',
      trust: {},
      ways: { othersIdle: 0 },
    };
  }

  #isMember(one: One): boolean {
    const at = one.worker.merge.step;
    const conductor = at.kind === 'aboard' ? this.#named(at.conductor.id) : undefined;
    return conductor !== undefined && membersOf(conductor.worker.merge.step).some(({ id }) => id === one.name);
  }

  #queueFor(one: One): Queue {
    const others = this.#workers
      .filter(
        (other) =>
          other !== one && other.worker.merge.step.kind === 'waiting' && other.worker.command.inFlight === null,
      )
      .toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0));
    const isReady = ({ worker: { merge, command } }: One): boolean =>
      (command.holdUntil ?? 0) <= this.#now &&
      (merge.step.kind !== 'waiting' || merge.step.accept.red === null || (merge.step.notBefore ?? 0) <= this.#now);
    const own = acceptOf(one.worker.merge.step)?.since ?? this.#now;
    const first = others.find((other) => (other.place ?? 0) < own && isReady(other))?.name ?? null;
    const members = others.map(({ name }) => ({ id: name, name, pin: { head: headOf(name), tree: null } }));
    return { me: { id: one.name, name: one.name }, first, members };
  }

  /** R2: checks that without faults every accept ends, unless the default branch is broken. */
  #checkRest(): void {
    const { accepts } = this.#open();
    const [stuck] = accepts.filter(({ worker }) => acceptOf(worker.merge.step)?.red === null);
    if (stuck !== undefined && !this.#project.isRed)
      this.#break(`${stuck.name} is still at "${stuck.worker.merge.step.kind}" in the end`);
  }

  #named(name: string): One | undefined {
    return this.#workers.find((one) => one.name === name);
  }

  #break(what: string): void {
    this.#broken ??= what;
  }

  #count(what: string): void {
    this.#seen.set(what, (this.#seen.get(what) ?? 0) + 1);
  }
}

/** Returns a worker whose work waits for a person. */
function waiting(name: string): Worker {
  const story = inReview();
  const git = story.worker.worktree.git;
  if (git === null) throw new Error('work in review has no commit');
  return {
    ...story.worker,
    worktree: { ...story.worker.worktree, git: { ...git, head: headOf(name) } },
    merge: { ...story.worker.merge, candidate: null, checks: null },
  };
}
