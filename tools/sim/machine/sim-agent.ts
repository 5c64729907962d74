/**
 * Runs one life of the real core of an agent (apps/machine-agent/src/core.ts) for a simulated machine: in a process of that machine, or in that of
 * a gateway elsewhere.
 */
import {
  Core,
  frozenInDatabase,
  namesInDatabase,
  openStores,
  Panes,
  Profiles,
  startsNotedIn,
} from '@drover/machine-agent/testing';
import type {
  AgentDatabase,
  CrashPoint,
  MachineKeys,
  MachineStarts,
  Post,
  Stores,
} from '@drover/machine-agent/testing';
import { Redactor } from '@drover/protocol';
import type { ObservationBody } from '@drover/protocol';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { AgentProcess, never } from './agent-process.ts';
import { simParcels } from './elsewhere.ts';
import { handsOf } from './hands.ts';
import type { Link } from './link.ts';
import type { MachineBody } from './parts.ts';
import { FACTS, frozenOn, HOME, placesOf, recordsOn, startsOn } from './records.ts';
import { SimUsageTeller } from './runs/usage.ts';
import { readShown } from './shown-pane.ts';
import { SimTmux } from './tmux.ts';
import { watchedHands } from './watched-hands.ts';

export interface SimAgentParts {
  readonly machine: MachineBody;
  readonly db: AgentDatabase;
  readonly keys: MachineKeys;
  readonly joinToken: string | undefined;
  readonly post: Post;
  readonly now: () => number;
  readonly link: Link;
  /** The process of the gateway in which it lives; absent: one of its own. */
  readonly within?: AgentProcess;
  /** A command is about to be carried out. */
  readonly begins?: () => void;
  /** The process dies: a point of a command, or in the midst of an act. */
  readonly die: (point: CrashPoint | null) => void;
}

export class SimAgent {
  readonly process: AgentProcess;
  readonly tmux: SimTmux;
  readonly stores: Stores;
  readonly link: Link;
  readonly #parts: SimAgentParts;
  /** Tells whether the agent has reported that its machine has started again. */
  #saysRestart = false;

  constructor(parts: SimAgentParts) {
    const { machine, db, now, link, within } = parts;
    const { time, random, broken } = machine.parts;
    this.#parts = parts;
    this.process = new AgentProcess({
      time,
      now,
      random: random.next,
      log: machine.log,
      diesAt: (point, kind) => this.#diesAt(point, kind),
      within,
    });
    this.process.onDeath(() => db[Symbol.dispose]());
    // A gateway may live on without this life.
    this.link = {
      epoch: link.epoch,
      carry: (act, how) => this.process.hear(link.carry(act, how)),
      hear: (news) => link.hear(() => this.process.isAlive && news()),
    };
    this.stores = openStores(db, this.process.clock);
    broken.tamper?.(this.stores);
    const { outbox } = this.stores;
    const add = outbox.add.bind(outbox);
    outbox.add = (body) => {
      this.#told(body);
      add(body);
    };
    this.tmux = new SimTmux(machine, this.process, this.link);
  }

  start(): void {
    const { machine, keys, joinToken, post } = this.#parts;
    const { name, urls, uuid } = machine.parts;
    const { clock, crashPoint, log, random } = this.process;
    const { process, tmux, stores, link } = this;
    const { knownWorkers, journal, outbox } = stores;
    const panes = new Panes({
      tmux,
      knownWorkers,
      profiles: PROFILES,
      listener: SILENT,
      understand: readShown,
      outbox,
      redactor: new Redactor(),
      clock,
      clockOffsetMs: () => 0,
      starts: this.#starts(),
      log,
    });
    const files = recordsOn(machine, this.link);
    const seeing = { panes, files, profiles: PROFILES, channels: NO_CHANNELS };
    const conversationNames = namesInDatabase(knownWorkers);
    const tools = {
      ...seeing,
      knownWorkers,
      conversationNames,
      journal,
      machineDir: '/data',
      home: HOME,
      clock,
      log,
      crashPoint,
    };
    const heard: Post = (url, request) => process.hear(post(url, request));
    const parcels = simParcels({ post: heard, clock, random, log });
    const mayDie = (): Promise<void> => this.#mayDie();
    const begins = this.#parts.begins ?? (() => {});
    const frozenPlaces = link.epoch === undefined ? frozenInDatabase(knownWorkers) : frozenOn(machine.frozen, link);
    const usage = new SimUsageTeller({ records: machine.usage, process, link, outbox });
    const own = {
      machine,
      usage,
      agentProcess: process,
      frozenPlaces,
      asksElsewhere: parcels,
      link,
      begins,
      mayDie,
    };
    const hands = handsOf({ ...tools, ...own });
    const core = new Core({
      stores,
      hands: watchedHands(machine.parts, hands),
      panes,
      profiles: PROFILES,
      keys,
      machineName: name,
      joinToken,
      version: '0',
      facts: () => Promise.resolve(FACTS),
      urls,
      places: placesOf(machine.parts),
      parcels,
      post: heard,
      transport: 'poll',
      confine: (worker) => Promise.resolve(worker),
      clock,
      random,
      ids: uuid,
      log,
      // Each process has its own signal: listeners of a dead process go when the schedule does.
      signal: new AbortController().signal,
      crashPoint,
    });
    panes.start();
    usage.start();
    void core.keepInTouch();
  }

  #starts(): MachineStarts {
    const { parts, starts } = this.#parts.machine;
    const noted = (): void => parts.watch.startNoted(parts.name, this.#saysRestart);
    const real = startsNotedIn(startsOn(starts, this.link, noted), '/data/boot-id');
    return parts.broken.tamperStarts?.(real) ?? real;
  }

  #told(body: ObservationBody): void {
    const { watch, name } = this.#parts.machine.parts;
    watch.told(body, this.link.epoch);
    if (body.kind === 'panes' && body.hasRestarted === true) {
      this.#saysRestart = true;
      watch.log(`${name}: has started again`);
    }
    if (body.kind === 'screen') watch.log(`${name}: sees ${body.reading.state.kind} in ${body.incarnation}`);
    if (body.kind === 'exit') watch.log(`${name}: ${body.exit.incarnation} ended ${JSON.stringify(body.exit)}`);
  }

  #diesAt(point: CrashPoint, kind: string): boolean {
    const { machine, die } = this.#parts;
    const { random, luck, diesAt } = machine.parts;
    if (diesAt?.(point, kind) !== true && !random.chance(luck.crash)) return false;
    die(point);
    return true;
  }

  /** Kills the process in the midst of an act with some probability. @returns never, if it died. */
  async #mayDie(): Promise<void> {
    const { machine, die } = this.#parts;
    if (!machine.parts.random.chance(machine.parts.luck.crash)) return;
    die(null);
    await never();
  }
}

/** Simulated programs let no second client in. */
const NO_CHANNELS = { of: () => Promise.resolve(null) };

const PROFILES = new Profiles({}, BUILT_IN_PROFILES);
/** Programs say nothing of themselves but on their screens and in their transcripts. */
const SILENT = {
  start: () => {},
  attend: () => {},
  audible: () => ({}),
  read: () => Promise.resolve(),
  forget: () => {},
};
