/** Answers commands that build the work of several workers on one another. */
import type { Command, CommandResult, TrainLink } from '../machine/commands.ts';
import type { Dice } from './dice.ts';

/** Builds each commit on the one before; those of `left` cannot come along. */
export function extended(
  { onto, items }: Extract<Command, { kind: 'extend' }>,
  left: readonly string[] = [],
): Extract<CommandResult, { kind: 'extended' }> {
  const links: TrainLink[] = [];
  for (const { worker, at } of items.filter((item) => !left.includes(item.worker))) {
    const base = links.at(-1)?.commit ?? onto;
    const commit = `${at.head} on ${base}`;
    links.push({ worker, head: at.head, base, commit, tree: `tree of ${commit}` });
  }
  const told = left.map((worker) => ({ worker, why: 'clash' as const, detail: 'a' }));
  return { kind: 'extended', onto, links, left: told };
}

/** Leaves some work out of the chain, or lets the machine err. */
export function extendedBadly(
  command: Extract<Command, { kind: 'extend' }>,
  dice: Dice,
): readonly [CommandResult, ...CommandResult[]] {
  const whole = extended(command);
  const some = command.items.filter(() => dice.chance(0.5)).map(({ worker }) => worker);
  return [
    extended(command, some),
    // Faulty answers: a result on another commit, of another one, and without a word about a missing one.
    { ...whole, onto: 'another' },
    { ...whole, links: whole.links.map((link) => ({ ...link, head: 'another' })) },
    { ...whole, links: whole.links.slice(1) },
  ];
}
