// Simulates a person who starts runs, answers what they ask and changes their mind, and what agents of runs say to each other. Draws from a chance
// of its own.
import type { Actor } from '@drover/api';
import { isOver, runOf } from '@drover/core';
import type { RunQuestion } from '@drover/core';
import type { RunRow } from '@drover/store';
import { SeededRandom, VirtualIds } from '@drover/testkit';
import { PERSON, request, untilAway, type Asked, type PeopleParts } from './people.ts';

/** Schedules per schedule in which runs are started. */
const RUNS_EVERY = 7;
/** Runs of a schedule that are open at a time, at most. */
const OPEN_MAX = 2;
/** Milliseconds between two acts, at most. */
const PACE_MS = 5_000;
/** Tries of one request, all under one id. */
const TRIES = 5;

/** Flow whose budget is spent soon, with a check of its own. */
const HASTY = `inputs = { goal = "text" }
budget = { time = "2m", workers = 3 }

[build]
role = "developer"
ask = "{{goal}}"
check = "project"
tries = 3
time = "90s"

[review]
of = "build"
rounds = 2

[merge]
accept = "build"
`;

/** Flow whose work soon waits for a yes. */
const SHORT = `inputs = { goal = "text" }
budget = { time = "1h", workers = 2 }

[build]
ask = "{{goal}}"
tries = 4

[merge]
accept = "build"
`;

/** Flow whose tokens are spent soon, or those of a stage. */
const THRIFTY = `inputs = { goal = "text" }
budget = { time = "1h", tokens = 24000, workers = 3 }

[build]
ask = "{{goal}}"
check = "project"
tries = 3
tokens = 14000

[review]
of = "build"
rounds = 3

[merge]
accept = "build"
`;

/** The same with parts that are built at once. */
const THRIFTY_SPLIT = `inputs = { goal = "text" }
budget = { time = "1h", tokens = 20000, workers = 3 }

[plan]
ask = "{{goal}}"
returns = "parts"

[build]
each = "plan.parts"
ask = "{{part.prompt}}"
tries = 2

[whole]
join = "build"

[merge]
accept = "whole"
`;

const FLOWS = [
  { flow: 'change' },
  { flow: 'split' },
  { flow: 'split' },
  { flow: 'study', times: 2 },
  { flow: 'hasty', text: HASTY },
  { flow: 'short', text: SHORT },
  { flow: 'short', text: SHORT },
  { flow: 'thrifty', text: THRIFTY },
  { flow: 'thrifty', text: THRIFTY },
  { flow: 'thrifty-split', text: THRIFTY_SPLIT },
] as const;

/** Tells whether runs are started in a schedule. */
export function hasRuns(seed: number): boolean {
  return seed % RUNS_EVERY === 4;
}

export class Runner {
  readonly #parts: PeopleParts;
  readonly #random: SeededRandom;
  readonly #ids: VirtualIds;
  #goals = 0;

  constructor(parts: PeopleParts) {
    this.#parts = parts;
    this.#random = new SeededRandom(parts.seed * 86_028_121 + 23);
    this.#ids = new VirtualIds(parts.time.now, 0xace);
  }

  /** Acts until people go away. */
  async live(): Promise<void> {
    await untilAway(
      this.#parts,
      () => this.#random.int(300, PACE_MS),
      () => this.#act(),
    );
  }

  get #open(): readonly RunRow[] {
    return [...this.#parts.database.runs.values()].filter(({ state }) => !isOver(state));
  }

  async #act(): Promise<void> {
    const random = this.#random;
    const open = this.#open;
    if (open.length < OPEN_MAX && (open.length === 0 || random.chance(0.3))) return this.#start();
    const asking = open.filter(({ state }) => state.questions.length > 0);
    if (asking.length > 0 && random.chance(0.6)) return this.#answer(random.pick(asking));
    if (random.chance(0.25)) return this.#speak();
    if (open.length === 0) return undefined;
    return this.#change(random.pick(open));
  }

  async #start(): Promise<void> {
    const { database } = this.#parts;
    const random = this.#random;
    const over = [...database.runs.values()].filter(({ state }) => isOver(state));
    if (over.length > 0 && random.chance(0.3)) return this.#retry(random.pick(over));
    const project = random.pick([...database.projects.values()]).name;
    this.#goals += 1;
    const starting = { ...random.pick(FLOWS), project, inputs: { goal: `reach goal ${this.#goals}` } };
    await this.#request(`run ${starting.flow}`, (fleet, requestId) =>
      fleet.startRun({ requestId, ...starting }, PERSON),
    );
  }

  async #retry({ id, state }: RunRow): Promise<void> {
    const random = this.#random;
    const how = { skipFailed: random.chance(0.2), resetAgents: random.chance(0.3), keepMessages: random.chance(0.3) };
    const from = random.chance(0.3) ? { from: random.pick(state.stages).name } : {};
    await this.#request(`run retry ${id.slice(-4)}`, (fleet, requestId) =>
      fleet.retryRun({ id, requestId, ...how, ...from }, PERSON),
    );
  }

  async #answer({ id, state }: RunRow): Promise<void> {
    const question = this.#random.pick(state.questions);
    if (question.about === 'accept' && this.#random.chance(0.6)) return this.#accept(id);
    const answer = this.#drawAnswer(question);
    await this.#request(`run answer ${id.slice(-4)} ${answer.option}`, (fleet, requestId) =>
      fleet.answerRun({ id, requestId, ...answer }, PERSON),
    );
  }

  #drawAnswer({ id, options }: RunQuestion) {
    const random = this.#random;
    const goesOn = options.filter(({ option }) => option !== 'stop');
    const { option } = goesOn.length === 0 || random.chance(0.05) ? random.pick(options) : random.pick(goesOn);
    const words = option === 'revise' || option === 'reply' ? { words: 'rather so' } : {};
    const paths = [random.pick(['src/a', 'src/b'])];
    const parts = option === 'edit' ? { parts: [{ title: 'The whole', prompt: 'Do it all.', paths }] } : {};
    return { question: id, option, ...words, ...parts };
  }

  /** Looks at the candidate, and says yes to what was shown. */
  async #accept(id: string): Promise<void> {
    const short = id.slice(-4);
    await this.#request(`run review ${short}`, (fleet) => fleet.reviewRun({ id }, PERSON));
    if (this.#random.chance(0.2)) await this.#parts.time.sleep(this.#random.int(100, 20_000));
    await this.#request(`run accept ${short}`, (fleet, requestId) => fleet.acceptRun({ id, requestId }, PERSON));
  }

  async #change({ id, state }: RunRow): Promise<void> {
    const random = this.#random;
    const resumes = state.paused !== null && random.chance(0.8);
    const act = resumes ? 'resume' : random.weighted({ nothing: 90, pause: 4, stop: 1, resume: 1 });
    if (act === 'nothing') return;
    await this.#request(`run ${act} ${id.slice(-4)}`, (fleet, requestId) =>
      fleet.actOnRun({ id, act, requestId }, PERSON),
    );
  }

  /** An agent of a run tells another one something, or asks a person. */
  async #speak(): Promise<void> {
    const random = this.#random;
    const { workers } = this.#parts.database;
    const speakers = [...workers.values()].filter(({ state }) => runOf(state.task)?.phase === 'open');
    if (speakers.length === 0) return;
    const { id, name } = random.pick(speakers);
    const by: Actor = { ...PERSON, kind: 'worker', id, name, role: 'worker', worker: id };
    const others = ['@author', '@reviewer', ...[...workers.values()].map((row) => row.name)];
    if (random.chance(0.3))
      await this.#request(`${name} asks a person`, (fleet, requestId) =>
        fleet.askInRun({ requestId, text: 'This way?' }, by),
      );
    else
      await this.#request(`${name} tells another agent`, (fleet, requestId) =>
        fleet.tellInRun({ requestId, to: random.pick(others), text: 'Mind the gap.' }, by),
      );
  }

  #request(what: string, ask: Asked): Promise<boolean> {
    const asking = { random: this.#random, requestId: this.#ids.uuid(), what: `RUNNER ${what}`, tries: TRIES };
    return request(this.#parts, asking, ask);
  }
}
