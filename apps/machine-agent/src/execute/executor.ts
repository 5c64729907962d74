/**
 * Carries out commands: one after another for each worker, workers side by side, each command journaled before and after, each within its
 * time. No error here ends the agent.
 */
import type { LocalClock, Log } from '@drover/base';
import type { CommandResult } from '@drover/core';
import type { CommandEnvelope, Query, QueryResult, WorkerSettings } from '@drover/protocol';
import { failedFrom } from '../failure.ts';
import type { CrashPoint } from '../crash-point.ts';
import type { Panes } from '../panes/panes.ts';
import { placeOf, type Journal } from '../store/journal.ts';
import { follow, insist } from '../time.ts';
import { COMMANDS } from './carry-out.ts';
import type { Confine, Hands, RunningCommand } from './ports.ts';

/** Commands that keep a disk or a processor busy, carried out at one time; the others never wait for them. */
const HEAVY_AT_ONCE = 6;
/** Milliseconds between tries to record an outcome, for example on a full disk. */
const RECORD_AGAIN_MS = 2_000;

interface ExecutorOptions {
  readonly journal: Pick<Journal, 'start' | 'finish'>;
  readonly hands: Hands;
  readonly panes: Pick<Panes, 'hold'>;
  /** Limits of the machine's owner for a command. */
  readonly confine: Confine;
  readonly clock: LocalClock;
  readonly log: Log;
  readonly crashPoint: (point: CrashPoint, kind: string) => void;
}

/** Carries out the commands of this machine. Closing it stops what is under way. */
export class Executor implements AsyncDisposable {
  readonly #options: ExecutorOptions;
  readonly #stopping = new AbortController();
  readonly #lines = new Map<string, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  /** Ends the checks of a review in a line, once a person has accepted that work: they run for the accept. */
  readonly #rechecks = new Map<string, AbortController>();
  #heavy = 0;

  constructor(options: ExecutorOptions) {
    this.#options = options;
  }

  /** Takes a command that is in the journal; it waits for earlier ones. */
  submit(command: CommandEnvelope): void {
    const line = lineOf(command);
    const before = Promise.all([...this.#lines].flatMap(([name, last]) => (isBehind(command, name) ? [last] : [])));
    const moot = new AbortController();
    if (isAsked(command)) this.#rechecks.get(line)?.abort();
    else if (isRecheck(command)) this.#rechecks.set(line, moot);
    const mine = before.then(() => this.#inTurn(command, moot.signal));
    this.#lines.set(line, mine);
    void mine.finally(() => {
      if (this.#lines.get(line) === mine) this.#lines.delete(line);
      if (this.#rechecks.get(line) === moot) this.#rechecks.delete(line);
    });
  }

  /** Stops running commands, which stay in the journal as begun. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#lines.values());
  }

  async #inTurn(command: CommandEnvelope, moot: AbortSignal): Promise<void> {
    // Work that people wait for is little, one after another in each project: it waits for no place.
    const isHeavy = traitsOf(command)?.isHeavy === true && !isAsked(command);
    if (isHeavy) await this.#enterHeavy(moot);
    try {
      if (!this.#stopping.signal.aborted) await this.#run(command, moot);
    } catch (error) {
      this.#options.log('error', `Could not carry out ${kindOf(command)} (${command.id}): ${String(error)}`);
    } finally {
      if (isHeavy) this.#leaveHeavy();
    }
  }

  /** Waits for a place among the heavy commands, handed from one to the next, so that no command overtakes waiting ones. */
  async #enterHeavy(moot: AbortSignal): Promise<void> {
    if (this.#heavy < HEAVY_AT_ONCE || moot.aborted) {
      this.#heavy += 1;
      return;
    }
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      moot.addEventListener('abort', () => this.#passBy(resolve), { once: true });
    });
  }

  /** Releases moot work from the queue: it ends at once, and takes no place beyond this moment. */
  #passBy(resolve: () => void): void {
    const at = this.#waiting.indexOf(resolve);
    if (at === -1) return;
    this.#waiting.splice(at, 1);
    this.#heavy += 1;
    resolve();
  }

  #leaveHeavy(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#heavy -= 1;
    else next();
  }

  async #run(command: CommandEnvelope, moot: AbortSignal): Promise<void> {
    const { journal, panes, crashPoint, log, clock } = this.#options;
    const hold = traitsOf(command)?.holdsPane === true ? panes.hold(command.settings.workerId) : undefined;
    try {
      journal.start(command.id);
      crashPoint('started', kindOf(command));
      const outcome = await this.#withinTime(command, moot);
      if (outcome === 'stopped') return;
      crashPoint('acted', kindOf(command));
      await insist(clock, () => journal.finish(placeOf(command), outcome), {
        everyMs: RECORD_AGAIN_MS,
        signal: this.#stopping.signal,
        onTrouble: (error) =>
          log('error', `Could not record how ${kindOf(command)} (${command.id}) ended yet: ${String(error)}`),
      });
      crashPoint('recorded', kindOf(command));
      log('debug', `${kindOf(command)} of "${command.settings.name}": ${outcome.kind}`);
    } finally {
      hold?.release();
    }
  }

  /** Outcome of a command, or a timeout. Waits until the work has really ended. */
  async #withinTime(command: CommandEnvelope, moot: AbortSignal): Promise<CommandResult | QueryResult | 'stopped'> {
    const overdue = new AbortController();
    const cancel = this.#options.clock.after(command.timeoutMs, () => overdue.abort());
    const unfollow = follow(overdue, this.#stopping.signal, moot);
    try {
      const outcome = await this.#act(command, overdue.signal);
      if (this.#stopping.signal.aborted && outcome.kind === 'failed') return 'stopped';
      return overdue.signal.aborted && outcome.kind === 'failed' ? tooLate(command) : outcome;
    } finally {
      cancel();
      unfollow();
    }
  }

  async #act(command: CommandEnvelope, signal: AbortSignal): Promise<CommandResult | QueryResult> {
    const { confine, hands } = this.#options;
    const { id: commandId, body } = command;
    try {
      const settings = await confine(command.settings, body);
      const seq = body.kind === 'command' ? body.seq : 0;
      const copyForbidden = missing(command.settings, settings);
      const running: RunningCommand = { commandId, seq, isAsked: isAsked(command), settings, copyForbidden, signal };
      return await (body.kind === 'command'
        ? hands.carryOut(running, body.command)
        : hands.answer(running, body.query));
    } catch (error) {
      return failedFrom(error);
    }
  }
}

/** Tells whether a person waits for a command; another machine asks for checks only of accepted work. */
function isAsked({ body }: CommandEnvelope): boolean {
  return body.kind === 'command' ? body.asked === true : body.query.kind === 'check-for';
}

/** Tells whether a command runs checks that Drover runs by itself, on its own machine. */
function isRecheck({ body }: CommandEnvelope): boolean {
  return body.kind === 'command' && body.command.kind === 'validate';
}

/** Queries about parcels, which take minutes: no question of a person waits for one. */
const OF_PARCELS: ReadonlySet<Query['kind']> = new Set<Query['kind']>([
  'pack',
  'unpack',
  'publish-for',
  'keep-content',
  'check-for',
  'pack-conversation',
  'place-conversation',
]);

/** Queries that run checks. */
const CHECKING: ReadonlySet<Query['kind']> = new Set<Query['kind']>(['check-for', 'run-check', 'run-land']);

/**
 * Names the line in which a command waits. Queries overtake the commands of their worker: they change nothing of it and somebody waits for the
 * answer.
 */
function lineOf({ body, settings }: CommandEnvelope): string {
  // `leave-place` clears a worker's place after all commands that it got here, and before any later ones.
  if (body.kind === 'command' || body.query.kind === 'leave-place') return settings.workerId;
  // A machine that is slow to send its commits holds up nothing of other machines.
  if (body.query.kind === 'run-bring') return `${BRINGING}${body.query.machine} ${settings.workerId}`;
  if (body.query.kind.startsWith('run-')) return `run ${body.query.kind} ${settings.workerId}`;
  return `${OF_PARCELS.has(body.query.kind) ? 'parcel' : 'query'} ${settings.workerId}`;
}

/** Tells whether a command waits for a line: its own, and to let go of a run, for all commits that may still come for it. */
function isBehind(command: CommandEnvelope, line: string): boolean {
  const { body } = command;
  if (body.kind === 'query' && body.query.kind === 'run-forget' && line.startsWith(BRINGING)) return true;
  return line === lineOf(command);
}

/** Beginning of the lines in which commits of runs come from other machines. */
const BRINGING = 'run-bring ';

/**
 * Traits of a command; among queries only checks need much. Checks that run on another machine take no place here: two
 * machines that check for each other would wait for each other.
 */
function traitsOf({ body }: CommandEnvelope): Pick<(typeof COMMANDS)['open'], 'isHeavy' | 'holdsPane'> | undefined {
  if (body.kind === 'query') return CHECKING.has(body.query.kind) ? COMMANDS.validate : undefined;
  const { command } = body;
  return command.kind === 'validate' && command.on !== undefined ? undefined : COMMANDS[command.kind];
}

function missing({ project: wanted }: WorkerSettings, { project: allowed }: WorkerSettings): readonly string[] {
  return wanted.copyFiles.filter((pattern) => !allowed.copyFiles.includes(pattern));
}

function tooLate(command: CommandEnvelope): CommandResult {
  const message = `${kindOf(command)} did not end within ${command.timeoutMs} ms`;
  return { kind: 'failed', code: 'timed-out', message, retry: true };
}

/** Kind of a command or a query, for people and tests. */
export function kindOf({ body }: CommandEnvelope): string {
  return body.kind === 'command' ? body.command.kind : body.query.kind;
}
