/**
 * Listens to coding agents beside their screens. A hook or a status that is written is a hint to look at the pane; everything is also polled,
 * so that a lost hint costs seconds and nothing else.
 */
import { dirname } from 'node:path';
import type { LocalClock, Log } from '@drover/base';
import { type Host, HostError } from '@drover/host';
import { worktreePath } from '@drover/worktree';
import type { Cages } from '../cage/cages.ts';
import type { Channels } from '../channels/channels.ts';
import type { Profiles } from '../panes/agent-profile.ts';
import type { KnownWorkers } from '../store/known-workers.ts';
import { DirectoryWatch } from './directory-watch.ts';
import { audible, HOOK_SPEAKS_MS, STATUS_SETTLES_MS, type Heard, type Signals } from './hearing.ts';
import { hookFiles, prunePayloads } from './hooks.ts';
import { lastEntry, latestHook, statusOf } from './records.ts';
import type { FailuresOf, ToolFailures } from './tool-failures.ts';
import { transcriptPath } from './transcript.ts';

/** Milliseconds between two polls of everything, for hints that were lost. */
const READ_EVERY_MS = 5_000;
/** Milliseconds between two questions to a program by its channel, while it is in a turn: not every one sends hints. */
const ASK_EVERY_MS = 1_000;
/** Milliseconds after news at which the pane is looked at again: when a status has settled, and when a hook is over. */
const CHECK_AGAIN_MS: readonly number[] = [STATUS_SETTLES_MS + 50, HOOK_SPEAKS_MS + 50];

interface ListenerOptions {
  readonly host: Host;
  readonly knownWorkers: KnownWorkers;
  readonly profiles: Profiles;
  readonly channels: Pick<Channels, 'stateOf' | 'forget' | 'start'>;
  readonly toolFailures: ToolFailures;
  readonly cages: Pick<Cages, 'holds' | 'homeOf'>;
  readonly machineDir: string;
  readonly clock: LocalClock;
  readonly log: Log;
}

/** Process id of every program in a cage: the first one there is bubblewrap's own. */
const PID_IN_CAGE = 2;

interface Ear {
  readonly workerId: string;
  readonly panePid: number;
  /** Process id that the program knows itself by. */
  statusPid: number;
  heard: Heard;
  /** Start time of this life's program, in epoch milliseconds. */
  openedAt: number;
  /** Reading that is under way, and whether another must follow it. */
  reading: Promise<void> | undefined;
  again: boolean;
  /** True if the program may tell its state by a channel; true if it will be asked again soon. */
  serves: boolean;
  asksSoon: boolean;
  readonly onNews: () => void;
}

const SILENCE: Heard = { hook: null, structured: null, transcript: null };

/** Reads the records of the lives that it attends. Closing it stops the reading. */
export class Listener implements AsyncDisposable {
  readonly #options: ListenerOptions;
  readonly #ears = new Map<string, Ear>();
  readonly #timers = new Set<() => void>();
  readonly #watch: DirectoryWatch;
  #closed = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#watch = new DirectoryWatch(options.host, (name) => this.#changed(name));
  }

  start(): void {
    this.#options.channels.start((incarnation) => void this.read(incarnation));
    this.#readAllLater();
  }

  /** Listens to a life of a pane from now on; safe to repeat. `onNews`: called when its screen should be read, because facts beside it have changed. */
  attend(
    incarnation: string,
    { workerId, panePid, onNews }: { workerId: string; panePid: number; onNews: () => void },
  ): void {
    if (this.#closed || this.#ears.has(incarnation)) return;
    for (const [old, ear] of this.#ears) if (ear.workerId === workerId) this.#ears.delete(old);
    const silent = { heard: SILENCE, openedAt: 0, reading: undefined, again: false, serves: false, asksSoon: false };
    this.#ears.set(incarnation, { workerId, panePid, statusPid: panePid, onNews, ...silent });
    void this.read(incarnation);
  }

  forget(incarnation: string): void {
    this.#ears.delete(incarnation);
    this.#options.channels.forget(incarnation);
  }

  /** Facts that may be heard beside a screen that has stayed the same since `since`. */
  audible(incarnation: string, since: number | null): Signals {
    const ear = this.#ears.get(incarnation);
    if (ear === undefined || ear.heard === SILENCE) return {};
    // Facts have times of the machine with the panes, so the moment is converted to them.
    const offsetMs = this.#options.host.clockOffsetMs();
    const { structured } = ear.heard;
    // Answers by a channel are the exception, with the time of their first sight here.
    const isSeenHere = ear.serves && structured !== null;
    const heard = isSeenHere
      ? { ...ear.heard, structured: { ...structured, at: structured.at + offsetMs } }
      : ear.heard;
    return audible(heard, {
      now: this.#options.clock.now() + offsetMs,
      openedAt: ear.openedAt + offsetMs,
      since: since === null ? null : since + offsetMs,
    });
  }

  /** Reads the current records of a life's program. Never rejects. */
  async read(incarnation: string): Promise<void> {
    const ear = this.#ears.get(incarnation);
    if (ear === undefined || this.#closed) return;
    if (ear.reading !== undefined) {
      ear.again = true;
      return ear.reading;
    }
    ear.reading = this.#readUntilCalm(incarnation, ear).finally(() => (ear.reading = undefined));
    return ear.reading;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#watch[Symbol.dispose]();
    for (const cancel of this.#timers) cancel();
    await Promise.all([...this.#ears.values()].map(async ({ reading }) => reading));
  }

  async #readUntilCalm(incarnation: string, ear: Ear): Promise<void> {
    do {
      ear.again = false;
      const heard = await this.#hear(incarnation, ear).catch((error: unknown) => {
        // While the machine is unreachable, its last facts are all that is known.
        return error instanceof HostError ? ear.heard : SILENCE;
      });
      if (ear.serves && heard.structured !== null && heard.structured.fact.status !== 'idle')
        this.#askSoon(incarnation, ear);
      if (JSON.stringify(heard) === JSON.stringify(ear.heard)) continue;
      ear.heard = heard;
      this.#tell(incarnation, ear);
    } while (ear.again && !this.#closed);
  }

  async #hear(incarnation: string, ear: Ear): Promise<Heard> {
    const { workerId, panePid } = ear;
    const { host, knownWorkers, profiles, cages, machineDir } = this.#options;
    const life = knownWorkers.incarnationOf(incarnation);
    const settings = knownWorkers.settingsOf(workerId);
    const profile = settings && profiles.find(settings.profile)?.profile;
    if (life === undefined || settings === undefined || profile === undefined) return SILENCE;
    ear.openedAt = life.openedAt;
    const home = cages.homeOf(settings);
    ear.statusPid = cages.holds(settings) ? PID_IN_CAGE : panePid;
    const worktree = worktreePath(settings.project.root, settings.name);
    const cwd = (await host.realpath(worktree)) ?? worktree;
    const { settings: hooks, news, payloads, failures } = hookFiles(machineDir, workerId, profile);
    const { openedAt } = life;
    await this.#tellFailures({ workerId, incarnation, openedAt, offsetMs: host.clockOffsetMs(), path: failures });
    await prunePayloads(host, { news, payloads });
    const transcript = transcriptPath(profile, { home, cwd, conversation: life.conversation });
    const { structured } = profile.signals;
    const statuses = structured === null ? null : structured.where.replaceAll('{home}', () => home);
    ear.serves = profile.launch.channel !== null;
    await this.#watch.add(dirname(news));
    if (statuses !== null && host.hintsByNews !== true) await this.#watch.add(statuses);
    return {
      hook: hooks === null ? null : await latestHook(host, news, profile),
      structured: ear.serves
        ? await this.#ask(incarnation, ear)
        : statuses === null
          ? null
          : await statusOf(host, { directory: statuses, pid: ear.statusPid }, structured?.status ?? {}),
      transcript: transcript === null ? null : await lastEntry(host, transcript),
    };
  }

  /** Asks a program for its status, which is as old as its first sight: an answer does not say when it changed. */
  async #ask(incarnation: string, { heard }: Ear): Promise<Heard['structured']> {
    const fact = await this.#options.channels.stateOf(incarnation);
    if (fact === null) return null;
    const before = heard.structured;
    const isSame = before?.fact.status === fact.status && before.fact.waitingFor === fact.waitingFor;
    return isSame ? before : { fact, at: this.#options.clock.now() };
  }

  #askSoon(incarnation: string, ear: Ear): void {
    if (ear.asksSoon) return;
    ear.asksSoon = true;
    this.#later(ASK_EVERY_MS, () => {
      ear.asksSoon = false;
      if (this.#ears.get(incarnation) === ear) void this.read(incarnation);
    });
  }

  /** Reports failed tools. A full disk costs time only: a later reading reports them. */
  async #tellFailures(failures: FailuresOf): Promise<void> {
    await this.#options.toolFailures.tell(failures).catch((error: unknown) => {
      this.#options.log('warn', `Cannot find out which tools failed for ${failures.workerId}: ${String(error)}`);
    });
  }

  #tell(incarnation: string, { onNews }: Ear): void {
    if (this.#closed) return;
    onNews();
    for (const delayMs of CHECK_AGAIN_MS) {
      this.#later(delayMs, () => {
        if (this.#ears.has(incarnation)) onNews();
      });
    }
  }

  /** Reads again after a change: files of hooks are named by worker, files of statuses by process. */
  #changed(name: string): void {
    const [stem = ''] = name.split('.');
    for (const [incarnation, { workerId, statusPid }] of this.#ears) {
      if (stem === workerId || stem === String(statusPid)) void this.read(incarnation);
    }
  }

  #readAllLater(): void {
    this.#later(READ_EVERY_MS, () => {
      for (const incarnation of this.#ears.keys()) void this.read(incarnation);
      this.#readAllLater();
    });
  }

  #later(delayMs: number, run: () => void): void {
    if (this.#closed) return;
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#timers.delete(cancel);
      run();
    });
    this.#timers.add(cancel);
  }
}
