/** Plays the default branch of trains and the checks on it: sets of works, some of which do not go together. */
import type { Command, CommandResult } from '../machine/commands.ts';
import type { Dice } from './dice.ts';

/** Names of the works, which are those of their workers. */
const NAMES = ['w0', 'w1', 'w2', 'w3', 'w4', 'w5'] as const;

/** A project, drawn from a seed. */
export class TrainProject {
  readonly #dice: Dice;
  /** Works that never pass with a work of another name before them. */
  readonly #bad: ReadonlySet<string>;
  readonly #flaky: number;
  /** True while the default branch fails by itself, until somebody pushes. */
  isRed: boolean;
  /** Works on the default branch, in their order; those that others pushed are among them. */
  main: readonly string[] = ['base'];
  /** Runs by tree: passed and failed ones, as far as their answers came. */
  readonly runs = new Map<string, { passed: number; failed: number }>();

  constructor(dice: Dice) {
    this.#dice = dice;
    this.isRed = dice.chance(0.15);
    this.#flaky = dice.chance(0.3) ? 0.2 : 0;
    this.#bad = new Set(NAMES.filter(() => dice.chance(0.2)));
  }

  /** Moves the default branch by another person's push, which mends it. */
  push(): void {
    this.main = [...this.main, `p${this.main.length}`];
    this.isRed = false;
  }

  /** Carries out a command of the worker with this name. */
  carryOut(name: string, command: Command): CommandResult {
    switch (command.kind) {
      case 'candidate': {
        const head = headOf(name);
        const base = commitOf(this.main);
        if (this.main.includes(name)) return { kind: 'contained', head, base };
        const works = [...this.main, name];
        return {
          kind: 'candidate',
          head,
          headTree: `tree ${head}`,
          base,
          commit: commitOf(works),
          tree: treeOf(works),
          checks: 'make',
          notes: [],
        };
      }
      case 'extend': {
        let works = worksOf(command.onto);
        const links = command.items.flatMap(({ worker, at }) => {
          if (this.#dice.chance(0.05)) return [];
          const base = commitOf(works);
          works = [...works, worker];
          return [{ worker, head: at.head, base, commit: commitOf(works), tree: treeOf(works) }];
        });
        const left = command.items
          .filter(({ worker }) => !links.some((link) => link.worker === worker))
          .map(({ worker }) => ({ worker, why: 'clash' as const, detail: 'a.txt' }));
        return { kind: 'extended', onto: command.onto, links, left };
      }
      case 'validate':
        return this.#check(command.at.head);
      case 'publish':
        return this.#publish(command);
      case 'prove':
        return command.commit === commitOf(this.main.slice(0, worksOf(command.commit).length))
          ? { kind: 'proven', commit: command.commit }
          : { kind: 'unproven', now: commitOf(this.main) };
      case 'close':
        return { kind: 'closed' };
      case 'recycle':
        return { kind: 'recycled', base: commitOf(this.main) };
      default:
        return { kind: 'failed', code: 'not-here', message: 'this fleet only merges', retry: false };
    }
  }

  #check(head: string): CommandResult {
    const works = worksOf(head);
    const own = works.filter((work) => work.startsWith('w'));
    const isBad = this.isRed || own.some((work) => this.#bad.has(work) && own.length > 1 && own[0] !== work);
    const fails = isBad || this.#dice.chance(this.#flaky);
    return fails
      ? { kind: 'invalid', command: 'make', output: 'no' }
      : { kind: 'valid', head, tree: treeOf(works), checks: 'make' };
  }

  /** Counts a run. A run whose answer is lost is known to nobody. */
  countRun(head: string, { kind }: CommandResult): void {
    const tree = treeOf(worksOf(head));
    const { passed, failed } = this.runs.get(tree) ?? { passed: 0, failed: 0 };
    this.runs.set(tree, kind === 'valid' ? { passed: passed + 1, failed } : { passed, failed: failed + 1 });
  }

  /** Publishes by compare-and-swap; a commit that is there already is answered as published. */
  #publish({ base, commit }: Extract<Command, { kind: 'publish' }>): CommandResult {
    const works = worksOf(commit);
    if (commit === commitOf(this.main.slice(0, works.length))) return { kind: 'published', commit };
    if (base !== commitOf(this.main)) return { kind: 'moved', now: commitOf(this.main) };
    this.main = works;
    return { kind: 'published', commit };
  }
}

/** Returns the commit of a worker's work. */
export function headOf(name: string): string {
  return `head ${name}`;
}

/** Returns the commit that has these works. */
export function commitOf(works: readonly string[]): string {
  return works.join('+');
}

/** Returns the works of a commit. */
export function worksOf(commit: string): readonly string[] {
  return commit.split('+');
}

/** Returns the files that these works make. */
export function treeOf(works: readonly string[]): string {
  return `tree ${commitOf(works)}`;
}
