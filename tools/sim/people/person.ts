// Simulates people in a schedule: they add workers, give tasks, answer, review, and sometimes change their mind.
import type { WorkerRow } from '@drover/store';
import { VirtualIds } from '@drover/testkit';
import { Crowd } from './crowd.ts';
import { PERSON, refOf, request, type Asked } from './people.ts';
import { answerSomething, checkpointOrRecover, useQueue, wantsCancel } from './recovery.ts';
import type { RecoveryRequests } from './recovery.ts';
import type { Scene } from '../scene.ts';
import type { Terms } from './terms.ts';

export interface PersonParts extends Pick<
  Scene,
  'time' | 'random' | 'database' | 'replicas' | 'machines' | 'checker' | 'tally'
> {
  readonly workers: number;
  /** Milliseconds at most between two acts of a person. */
  readonly paceMs: number;
  /** Chance that they accept all that waits at once, where more than one does. */
  readonly crowd: number;
  readonly terms: Terms;
  /** Tells whether most free workers are left to runs. */
  readonly isSparing: boolean;
}

/** Tries of one request, all under one id. */
const TRIES = 6;

/** Tells whether work waits for a review, and something happens to it meanwhile. */
function isPressing({ state: { lifecycle, command, session } }: WorkerRow): boolean {
  const isMoved = command.inFlight?.command.kind === 'rebase';
  return lifecycle.status === 'needs_review' && (isMoved || session.pane.kind === 'starting');
}

/** A person who removes a worker says what becomes of its task, or forgets to. */
const TASK_ENDS = [undefined, 'drop', 'requeue'] as const;

/** Simulates a person, who does one thing after the other. */
export class Person {
  readonly tasks = new Map<string, { readonly workerId: string; readonly mark: string; readonly at: number }>();
  /** Messages and rejections that were accepted. */
  readonly texts: {
    readonly workerId: string;
    readonly mark: string;
    readonly at: number;
    /** The newest event before it was said. */
    readonly after: number;
  }[] = [];
  /** Times at which a person last ended what a worker had in hand. */
  readonly dropped = new Map<string, number>();
  isAway = false;
  readonly #parts: PersonParts;
  readonly #ids: VirtualIds;
  readonly #recovery: RecoveryRequests;
  readonly #crowd: Crowd;
  #count = 0;

  constructor(parts: PersonParts) {
    this.#parts = parts;
    this.#ids = new VirtualIds(parts.time.now, 0xabc);
    this.#recovery = {
      random: parts.random,
      database: parts.database,
      request: (what, ask) => this.#request(what, ask),
      mark: () => this.#mark(),
      role: () => parts.terms.role(),
      dropped: (workerId) => this.dropped.set(workerId, parts.time.now()),
      deliverAgain: (what, ask) => this.#deliverAgain(what, ask),
      replied: (requestId, reply) => parts.checker.replied(requestId, reply),
    };
    this.#crowd = new Crowd({
      ...parts,
      request: (what, ask) => this.#request(what, ask),
      readReview: (row) => this.#readReview(row),
      start: (row) => this.#start(row),
    });
  }

  /** Acts until the person goes away. */
  async live(): Promise<void> {
    const { random, time, workers, paceMs } = this.#parts;
    for (let index = 0; index < workers; index += 1) await this.#add(index);
    while (!this.isAway) {
      await time.sleep(random.int(200, paceMs));
      if (!this.isAway) await this.#act();
    }
  }

  /** Requests that every worker is up, whatever was requested before. */
  async wantAllUp(): Promise<void> {
    await this.#request('up', (fleet, requestId) => fleet.setWanted('up', requestId, PERSON));
  }

  async #act(): Promise<unknown> {
    const { random, database, workers, crowd } = this.#parts;
    const rows = [...database.workers.values()];
    if (rows.length === 0 || (rows.length < workers && random.chance(0.3)))
      return this.#add(random.int(0, workers - 1));
    if (random.chance(0.02))
      return this.#request('down', (fleet, requestId) => fleet.setWanted('down', requestId, PERSON));
    if (rows.some(({ state }) => state.lifecycle.wanted === 'down') && random.chance(0.5)) return this.wantAllUp();
    if (random.chance(0.15) && (await answerSomething(this.#recovery))) return undefined;
    if (crowd > 0 && random.chance(0.7)) return this.#crowd.lead(rows);
    if (random.chance(0.06)) return useQueue(this.#recovery);
    // People look where something is under way: at work that is moved, at an agent that comes up while it waits for them.
    const pressing = rows.filter(isPressing);
    const row = random.pick(pressing.length > 0 && random.chance(0.8) ? pressing : rows);
    // A person who waits for a checkpoint does something else in the meantime.
    if (random.chance(0.08)) return void checkpointOrRecover(this.#recovery, row);
    return this.#actOn(row);
  }

  async #actOn(row: WorkerRow): Promise<unknown> {
    const { random } = this.#parts;
    const { state } = row;
    const name = this.#ref(row);
    if (random.chance(0.02)) return this.#byHand(row, 'quit');
    if (random.chance(0.03))
      return this.#request(`nuke ${name}`, (fleet, requestId) =>
        fleet.nuke({ requestId, name, force: random.chance(0.4), task: random.pick(TASK_ENDS) }, PERSON),
      );
    if (wantsCancel(state, random)) return this.#cancel(name);
    switch (state.lifecycle.status) {
      case 'idle':
        if (this.#parts.isSparing && random.chance(0.85)) return undefined;
        if (random.chance(0.08)) return this.#workAlone(row);
        return this.#start(row);
      case 'needs_review':
        return this.#review(row);
      case 'needs_input':
        if (random.chance(0.4) && (await answerSomething(this.#recovery, row.id))) return undefined;
        return random.chance(0.4) ? this.#byHand(row, 'answer') : this.#message(row);
      case 'error':
        if (random.chance(0.5) && (await answerSomething(this.#recovery, row.id))) return undefined;
        return random.chance(0.6) ? this.#message(row) : undefined;
      default:
        return random.chance(0.1) ? this.#message(row) : undefined;
    }
  }

  /** Every second pair of workers has one name in two projects, where there are two. */
  #add(index: number): Promise<unknown> {
    const { terms, database } = this.#parts;
    const wish = terms.wish();
    const projects = [...database.projects.values()];
    const project = projects[index % projects.length]?.name ?? '';
    const name = `w${projects.length > 1 && index % 4 < 2 ? index - (index % 2) : index}`;
    return this.#request(`add ${project}/${name}`, (fleet, requestId) =>
      fleet.add({ requestId, name, project, ...wish }, PERSON),
    );
  }

  #cancel(name: string): Promise<unknown> {
    return this.#request(`cancel ${name}`, (fleet, requestId) => fleet.cancel({ requestId, name }, PERSON));
  }

  #ref(row: WorkerRow): string {
    return refOf(this.#parts.database, row);
  }

  async #start(row: WorkerRow): Promise<void> {
    const mark = this.#mark();
    // The task may be taken at the first request, and its worker brought back to a checkpoint before the answer comes.
    const at = this.#parts.time.now();
    const name = this.#ref(row);
    await this.#request(`start ${name} ${mark}`, (fleet, requestId) => {
      this.tasks.set(requestId, { workerId: row.id, mark, at });
      return fleet.start({ requestId, name, prompt: `please do ${mark}` }, PERSON);
    });
  }

  async #message(row: WorkerRow): Promise<void> {
    const name = this.#ref(row);
    const mark = this.#mark();
    const text = `go on ${mark}`;
    const after = this.#parts.checker.newestEvent;
    const accepted = await this.#request(`message ${name} ${text}`, (fleet, requestId) =>
      fleet.message({ requestId, name, text }, PERSON),
    );
    if (accepted) this.texts.push({ workerId: row.id, mark, at: this.#parts.time.now(), after });
  }

  async #review(row: WorkerRow): Promise<unknown> {
    const { random, checker } = this.#parts;
    const name = this.#ref(row);
    if (random.chance(0.1)) return this.#readReview(row);
    // The crowd accepts this work with others, once there are some.
    if (this.#parts.crowd > 0 && random.chance(this.#parts.crowd)) return undefined;
    if (random.chance(0.05))
      return this.#request(`rebase ${name}`, (fleet, requestId) => fleet.rebase({ requestId, name }, PERSON));
    // Work may be moved meanwhile: people do not wait for that.
    const isMoved = row.state.command.inFlight?.command.kind === 'rebase';
    if (random.chance(isMoved ? 0.8 : 0.3)) {
      const mark = this.#mark();
      const text = `not good ${mark}`;
      const after = checker.newestEvent;
      const accepted = await this.#request(`reject ${name} ${text}`, (fleet, requestId) =>
        fleet.reject({ requestId, name, text }, PERSON),
      );
      if (accepted) this.texts.push({ workerId: row.id, mark, at: this.#parts.time.now(), after });
      // People who send work back may sit down at its agent as well.
      if (accepted && isMoved && random.chance(0.8)) await this.#talk(row);
      return undefined;
    }
    return this.#accept(row);
  }

  /** @returns the commit that they have seen. */
  async #readReview(row: WorkerRow): Promise<string | null> {
    const { id, state } = row;
    const name = this.#ref(row);
    let head: string | null = null;
    let unanswered = 0;
    await this.#request(`review ${name}`, async (fleet) => {
      unanswered += 1;
      const outcome = await fleet.review({ name }, PERSON);
      unanswered -= 1;
      if (outcome.kind === 'ok') ({ head } = outcome.value);
      if (head !== null) this.#parts.checker.merges.noteReview(id, head);
      return outcome;
    });
    // Drover cannot tell an answer that was lost on its way from one that was read.
    const shown = state.worktree.git?.head;
    if (unanswered > 0 && shown !== undefined) this.#parts.checker.merges.noteReview(id, shown);
    return head;
  }

  /** Accepts work; most people look first. The agent may commit once more, at any time. */
  async #accept(row: WorkerRow): Promise<unknown> {
    const { random, checker, time } = this.#parts;
    const name = this.#ref(row);
    const seen = random.chance(0.05) ? null : await this.#readReview(row);
    if (random.chance(0.1)) await this.#byHand(row, 'commit');
    if (random.chance(0.1)) time.after(random.int(1, 2_000), () => void this.#byHand(row, 'commit'));
    if (random.chance(0.2)) await time.sleep(random.int(100, 5_000));
    checker.merges.noteAcceptRequest(row.id);
    const named = seen !== null && random.chance(0.3) ? { head: seen } : {};
    // People were told that nothing is to be merged, or think so.
    const isContained = row.state.merge.candidate?.kind === 'contained';
    const nothing = random.chance(isContained ? 0.8 : 0.02);
    return this.#request(`accept ${name}`, (fleet, requestId) =>
      fleet.accept({ requestId, name, nothing, ...named }, PERSON),
    );
  }

  /** Takes over by hand and talks to the agent. The talk may end in a question, which the person answers, or leaves. */
  async #talk(row: WorkerRow): Promise<void> {
    const { random, time } = this.#parts;
    await this.#byHand(row, 'talk');
    if (random.chance(0.5)) return;
    await time.sleep(random.int(500, 3_000));
    await this.#byHand(row, 'answer');
  }

  /** Commits in a free worker's place; some want the worker removed next. */
  async #workAlone(row: WorkerRow): Promise<void> {
    const { random } = this.#parts;
    const name = this.#ref(row);
    await this.#byHand(row, 'commit');
    if (random.chance(0.3))
      await this.#request(`nuke ${name}`, (fleet, requestId) => fleet.nuke({ requestId, name, force: false }, PERSON));
  }

  async #byHand({ id, name }: WorkerRow, what: 'answer' | 'quit' | 'commit' | 'talk'): Promise<void> {
    this.#parts.tally.log(`PERSON ${what} by hand in ${name}`);
    for (const machine of this.#parts.machines) machine.panes.get(id)?.program.byHand(what);
  }

  /** @returns whether it was accepted, as far as the person knows. */
  #request(what: string, ask: Asked): Promise<boolean> {
    const { random, tally } = this.#parts;
    const requestId = this.#ids.uuid();
    tally.log(`PERSON ${what}`);
    return request(this.#parts, { random, requestId, what: `PERSON ${what}`, tries: TRIES }, ask);
  }

  /** Requests another delivery. The checks judge its result: the person does not wait for it. */
  #deliverAgain(what: string, ask: Parameters<RecoveryRequests['deliverAgain']>[1]): void {
    const { random, time, replicas, tally } = this.#parts;
    time.after(random.int(200, 20_000), () => {
      tally.log(`PERSON ${what}: delivered again`);
      void random
        .pick(replicas)
        .serve(({ fleet }) => ask(fleet))
        .catch((error: unknown) => tally.log(`PERSON ${what} again: ${String(error)}`));
    });
  }

  #mark(): string {
    this.#count += 1;
    return `#${this.#count}#`;
  }
}
