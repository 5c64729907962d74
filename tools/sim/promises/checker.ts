// Checks the promises: those of a row at every commit, those of a pane at every change of it.
import type { Outcome } from '@drover/api';
import type { Policy } from '@drover/core';
import type { MemoryDatabase } from '@drover/store/testing';
import type { WorkerRow } from '@drover/store';
import type { CrashPoint, RunningCommand } from '@drover/machine-agent/testing';
import type { ObservationBody, WorkerSettings } from '@drover/protocol';
import type { SimProgram } from '@drover/testkit';
import type { CheckRun, Given, MachineWatch, Merged, PlaceLeft } from '../machine/parts.ts';
import { count, makeCheck } from '../runs/tally.ts';
import type { Check, Tally } from '../runs/tally.ts';
import { AnswerChecks } from './answers.ts';
import { CallChecks } from './calls.ts';
import { CancelChecks } from './cancels.ts';
import { FleetChecks } from './fleet/fleet.ts';
import type { FleetParts } from './fleet/fleet.ts';
import type { GatewayChecks } from './fleet/gateways.ts';
import { MergeChecks } from './merges.ts';
import type { Repository } from './repository.ts';
import { MoveChecks } from './moves.ts';
import { brief, ROW_CHECKS } from './row.ts';
import { RunChecks } from './runs/runs.ts';
import type { RunRepository } from './runs/runs.ts';
import { TextChecks } from './texts.ts';
import { UnheardEvents } from './unheard-events.ts';
import { waitingIn } from './waiting.ts';

/** Escalations of one worker that a person may get without having done anything about it. */
const ESCALATIONS_MAX = 4;

/** The promises that are checked while a schedule runs. `finalProblems` checks those of its end. */
const PROMISED = {
  row: 'R1, R2 and one plan at a time, of each row at each commit',
  seq: 'numbers of commands only rise',
  level: 'the level of an incident only rises (R6)',
  due: 'each deadline is due work',
  lease: 'who merges holds the lease',
  acted: 'no command is carried out twice',
  outcome: 'each command has one outcome, however often it is told',
  inTurn: 'no command is carried out after a newer one',
  told: 'no person is told of a worker at rest, nor too often of another',
  asked: 'a worker waits for an answer exactly while its question is open (R1, X2, X4)',
} as const;

/** Watches one schedule. */
export class Checker implements MachineWatch {
  readonly #database: MemoryDatabase;
  readonly #tally: Tally;
  readonly #policy: Policy;
  readonly #seen = new Map<string, WorkerRow>();
  readonly #acted = new Set<string>();
  readonly #outcomes = new Map<string, string>();
  readonly #newestActed = new Map<string, number>();
  /** Checks of what people do about merges. */
  readonly merges: MergeChecks;
  readonly #moves: MoveChecks;
  readonly fleet: FleetChecks;
  readonly gateways: GatewayChecks;
  readonly runs: RunChecks;
  readonly #texts: TextChecks;
  readonly #waiting: ReturnType<typeof waitingIn>;
  readonly #escalations = new Map<string, number>();
  readonly #answers: AnswerChecks;
  readonly calls: CallChecks;
  readonly #cancels: CancelChecks;
  /** Workers at rest: no person should be told anything about them. */
  readonly #resting = new Set<string>();
  /** Commands that stood in the journal of a machine when everything had come to rest: their time is over when a schedule ends. */
  readonly takenAtRest = new Set<string>();
  readonly #unheard = new UnheardEvents();
  readonly #check: Check<typeof PROMISED>;

  constructor(parts: FleetParts & { readonly repository: Repository & RunRepository }) {
    this.#database = parts.database;
    this.#tally = parts.tally;
    this.#policy = parts.policy;
    this.merges = new MergeChecks(parts.tally, parts.repository);
    this.#answers = new AnswerChecks(parts.tally);
    this.calls = new CallChecks(parts.database, parts.tally);
    this.#cancels = new CancelChecks(parts.tally, parts.database);
    this.#moves = new MoveChecks(parts.tally, parts.repository);
    this.fleet = new FleetChecks(parts);
    this.gateways = this.fleet.gateways;
    this.#texts = new TextChecks(parts);
    this.runs = new RunChecks(parts, (merged) => this.merges.noteRunMerge(merged));
    this.#waiting = waitingIn(parts.database);
    this.#check = makeCheck(this.#tally, PROMISED);
  }

  placeLeft(workerId: string, left: PlaceLeft): void {
    this.#moves.checkLeft(workerId, left);
  }

  /** Checks every commit. */
  committed(): void {
    this.fleet.committed();
    for (const row of this.#database.workers.values()) {
      const before = this.#seen.get(row.id);
      if (before === row) continue;
      this.#seen.set(row.id, row);
      this.#checkRow(row, before);
    }
    const { lease, asked } = this.#waiting;
    for (const problem of lease()) this.#check('lease', problem === null, problem ?? '');
    for (const problem of asked()) this.#check('asked', problem === null, problem ?? '');
    this.runs.committed();
    this.calls.committed();
    this.#readEvents();
  }

  replied(requestId: string, reply: Outcome<unknown>): void {
    this.#answers.replied(requestId, reply);
  }

  /** Newest event, whose number says what came later, whatever the clocks of replicas say. */
  get newestEvent(): number {
    return this.#unheard.newest;
  }

  /** Tells whether a person was told after an event that these words may be lost. */
  wasTold(workerId: string, { mark, after }: { readonly mark: string; readonly after: number }): boolean {
    return [...this.#database.events.values()].some(
      ({ id, workerId: whose, records }) =>
        id > after &&
        whose === workerId &&
        records.some((entry) => entry.kind === 'notice' && entry.text.includes(mark)),
    );
  }

  /** Notes that everything has come to rest: from now on no person is notified about workers that stay at rest. */
  rest(): void {
    for (const id of this.#database.workers.keys()) this.#resting.add(id);
    for (const { id, state } of this.#database.outbox.values()) if (state === 'received') this.takenAtRest.add(id);
  }

  timesTaken(workerId: string, mark: string): number {
    return this.#texts.timesTaken(workerId, mark);
  }

  taken(workerId: string, program: SimProgram, text: string): void {
    this.#texts.taken(workerId, program, text);
  }

  typed(workerId: string, program: SimProgram, text: string): void {
    this.#texts.typed(workerId, program, text);
  }

  checked(run: CheckRun): void {
    this.merges.noteRun(run);
  }

  madeFresh(workerId: string, lost: readonly string[]): void {
    this.merges.madeFresh(workerId, lost);
  }

  started(incarnation: string, settings: WorkerSettings): void {
    this.fleet.settings.started(incarnation, settings);
    this.runs.started(settings.workerId);
  }

  restarted(machine: number, server: number): void {
    this.fleet.restarts.restarted(machine, server);
  }

  startNoted(machine: string, hasSaid: boolean): void {
    this.fleet.restarts.noted(machine, hasSaid);
  }

  worked(work: string, of: { readonly projectId: string; readonly workerId: string }): void {
    this.merges.noteWork(work, of);
    this.runs.noteWork(work, of.workerId);
  }

  merged(workerId: string, merged: Merged): void {
    this.#tally.log(`merged: ${merged.works.join(' ')}`);
    this.merges.checkMerge(workerId, merged);
  }

  acted({ commandId, seq, settings }: RunningCommand, given: Given): void {
    const { machine, epoch } = given;
    this.fleet.checkActed(settings, given);
    // Commands that an older gateway begins are not carried out, and another gateway asks its questions again.
    if (!this.gateways.isNewest(machine, epoch)) return;
    const key = seq === 0 ? `${commandId} ${epoch}` : commandId;
    this.#check('acted', !this.#acted.has(key), `the command ${commandId} was carried out twice`);
    this.#acted.add(key);
    if (seq === 0) return;
    // A machine that a worker did not move to in the end may still restore it in a place that is frozen.
    const newest = this.#newestActed.get(`${machine} ${settings.workerId}`) ?? 0;
    this.#check('inTurn', seq > newest, `${settings.name}: command ${seq} was carried out after ${newest}`);
    this.#newestActed.set(`${machine} ${settings.workerId}`, seq);
  }

  told(body: ObservationBody, epoch: number | undefined): void {
    if (body.kind !== 'result' && body.kind !== 'answer') return;
    const { commandId, result } = body;
    const outcome = JSON.stringify(result);
    // Each gateway has a journal of its own; the coordinator hears only the one that has the lease.
    const key = `${commandId} ${epoch}`;
    const before = this.#outcomes.get(key) ?? outcome;
    this.#check('outcome', before === outcome, `command ${commandId} ended as ${before}, then as ${outcome}`);
    this.#outcomes.set(key, outcome);
  }

  crashed(point: CrashPoint | null): void {
    count(this.#tally.faults, point === null ? 'agent-crash' : `agent-crash at "${point}"`);
  }

  complained(what: string): void {
    this.#tally.broken(`a machine agent logs an error: ${what}`);
  }

  log(line: string): void {
    this.#tally.log(line);
  }

  #checkRow(row: WorkerRow, before: WorkerRow | undefined): void {
    const { state, name } = row;
    this.merges.checkRow(row, { before, workers: this.#database.workers });
    this.fleet.checkRow(row, before);
    this.#cancels.checkRow(row);
    if (this.#tally.isTraced) this.#tally.log(`  ${name} ${brief(row)}`);
    for (const check of ROW_CHECKS) {
      const problem = check(row, this.#policy);
      this.#check('row', problem === null, `${name}: ${problem}`);
    }
    const [was, is] = [before?.state.incident.open, state.incident.open];
    if (was != null && is?.id === was.id)
      this.#check('level', is.level >= was.level, `${name}: the level of an incident fell (R6)`);
    this.#check(
      'seq',
      (before?.state.command.seq ?? 0) <= state.command.seq,
      `${name}: the number of commands went back`,
    );
    for (const [deadline, at] of Object.entries(state.deadlines)) {
      const due = this.#database.dueWork.get(`worker-deadline ${row.id}:${deadline}`);
      this.#check('due', due?.dueAt === at, `${name}: the deadline "${deadline}" is not due work`);
    }
  }

  #readEvents(): void {
    for (const row of this.#unheard.read(this.#database.events)) {
      this.#moves.noteRecords(row);
      this.merges.checkBlame(row, this.#database.workers.get(row.workerId));
      this.fleet.checkEvent(row);
      this.runs.noteEvent(row);
      if (row.event.kind === 'start-requested' && row.event.from != null)
        this.merges.noteGiven(row.workerId, row.event.from.commit);
      if (this.#cancels.noteEvent(row)) this.merges.noteCancel(row.workerId);
      if (row.event.kind.endsWith('-requested') || row.event.kind === 'escalation-answered')
        this.#escalations.delete(row.workerId);
      for (const entry of row.records) {
        count(this.#tally.records, entry.kind);
        if (entry.kind === 'recovery') count(this.#tally.recoveries, entry.code);
        if (entry.kind === 'moved') count(this.#tally.statuses, `${entry.from} → ${entry.to}`);
        // A default branch that moved gives it something to do again, and so has an item of the work queue.
        if (entry.kind === 'moved' && ['needs_review', 'idle'].includes(entry.from)) this.#resting.delete(row.workerId);
        // The agent committed after its question: that work goes its way, and has questions of its own.
        if (entry.kind === 'moved' && entry.from === 'needs_input' && entry.to === 'working')
          this.#resting.delete(row.workerId);
        // A question that ended with its program or its session: what the worker waits for now is asked again.
        if (entry.kind === 'escalation-closed') this.#resting.delete(row.workerId);
        // A tool's question is the agent's, who goes on; the coordinator asks it once for each task.
        if (entry.kind !== 'escalated' || row.event.kind === 'tool-failed') continue;
        this.#check(
          'told',
          !this.#resting.has(row.workerId),
          `${row.workerName}: at rest, and a person is told of ${entry.code}`,
        );
        count(this.#tally.recoveries, `person: ${entry.code}`);
        count(this.#escalations, row.workerId);
        const told = this.#escalations.get(row.workerId) ?? 0;
        this.#check(
          'told',
          told <= ESCALATIONS_MAX,
          `${row.workerName}: a person was told ${told} times (${entry.code})`,
        );
      }
    }
  }
}
