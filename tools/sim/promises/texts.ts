// Checks the promises about texts: each as it was given, once in each program, and only where it may be typed.
import type { MemoryDatabase } from '@drover/store/testing';
import type { SimProgram } from '@drover/testkit';
import type { FleetParts } from './fleet/fleet.ts';
import { count, makeCheck } from '../runs/tally.ts';
import type { Check, Tally } from '../runs/tally.ts';

const PROMISED = {
  twice: 'no text is taken twice by one program',
  whole: 'an agent takes a text as it was given, and no other',
  typed: 'nothing is typed into a dialog, or a program that ended',
} as const;

/** Watches one schedule. */
export class TextChecks {
  readonly #database: MemoryDatabase;
  readonly #tally: Tally;
  /** Tells whether commands that are over are known. */
  readonly #isExact: boolean;
  readonly #takenBy = new Map<string, string[]>();
  readonly #check: Check<typeof PROMISED>;

  constructor({ database, tally, isExact }: Pick<FleetParts, 'database' | 'tally' | 'isExact'>) {
    this.#database = database;
    this.#tally = tally;
    this.#isExact = isExact;
    this.#check = makeCheck(this.#tally, PROMISED);
  }

  /** An agent begins with a text. */
  taken(workerId: string, program: SimProgram, text: string): void {
    const said = JSON.stringify(text);
    this.#tally.log(`${program.incarnation} takes ${said.slice(0, 31)}…${said.slice(-31)}`);
    this.#check('whole', this.#isGiven(workerId, text), `${workerId}: an agent takes ${said}, which nobody said`);
    const mark = /#\d+#/.exec(text);
    if (mark === null) return;
    const key = `${workerId} ${text}`;
    const lives = this.#takenBy.get(key) ?? [];
    this.#check('twice', !lives.includes(program.incarnation), `${mark[0]} was taken twice by the same program`);
    if (lives.length > 0) count(this.#tally.faults, 'note: the same text in another life');
    this.#takenBy.set(key, [...lives, program.incarnation]);
  }

  /** Notes a text that is typed into a pane. */
  typed(workerId: string, program: SimProgram, text: string): void {
    const { kind } = program.screen;
    const isAsking = ['dialog', 'question', 'permission'].includes(kind);
    this.#check('typed', program.end === null, `${workerId}: typed into a program that ended`);
    this.#check('typed', !isAsking, `${workerId}: typed into a ${kind}`);
    this.#check('typed', text.length > 0, `${workerId}: typed nothing`);
  }

  timesTaken(workerId: string, mark: string): number {
    let times = 0;
    for (const [key, lives] of this.#takenBy) if (key.startsWith(workerId) && key.includes(mark)) times += lives.length;
    return times;
  }

  #isGiven(workerId: string, text: string): boolean {
    if (!this.#isExact) return true;
    const { outbox, ended } = this.#database;
    for (const commands of [outbox, ended])
      for (const { workerId: whose, body } of commands.values())
        if (
          whose === workerId &&
          body.kind === 'command' &&
          body.command.kind === 'deliver' &&
          body.command.text === text
        )
          return true;
    return false;
  }
}
