/** Chooses the part of a chain that is checked next, publishes it, and finds the part to blame. */
import { describe, expect, test } from 'vitest';
import { countRun } from './step.ts';
import { chooseMove } from './train.ts';
import type { Chain, Move } from './train.ts';
import type { Run } from './step.ts';

const FILES = ['main', 'a', 'ab', 'abc', 'abcd', 'abcde'] as const;

/** Answer of each prefix: always the same, or another one each time. */
type Answers = Readonly<Record<string, 'pass' | 'fail' | readonly ('pass' | 'fail')[]>>;

/** Plays a chain to its end. @returns the prefixes that were checked in their order, and the last move. */
function play(answers: Answers, known: readonly Run[] = []): { readonly ran: readonly number[]; readonly end: Move } {
  let chain: Chain = { files: FILES, checks: 'make', runs: known };
  const ran: number[] = [];
  for (;;) {
    const move = chooseMove(chain);
    if (move.kind !== 'run') return { ran, end: move };
    const files = FILES[move.prefix] ?? '';
    const answer = answers[files] ?? 'pass';
    const one = typeof answer === 'string' ? answer : (answer[ran.filter((at) => at === move.prefix).length] ?? 'pass');
    const ended =
      one === 'pass' ? { kind: 'passed' as const } : { kind: 'failed' as const, command: 'make', output: files };
    chain = { ...chain, runs: countRun(chain, files, ended) };
    ran.push(move.prefix);
    if (ran.length > 30) throw new Error(`It does not end: ${ran.join(' ')}`);
  }
}

const FROM_THE_THIRD = { abc: 'fail', abcd: 'fail', abcde: 'fail' } as const;

describe('a chain of five', () => {
  test('given a tip that passes, then it is published after one run', () => {
    expect(play({})).toEqual({ ran: [5], end: { kind: 'publish', prefix: 5, culprit: null } });
  });

  test('given a third work that breaks the checks, then the two before it are published and it is blamed after it failed twice', () => {
    const { ran, end } = play(FROM_THE_THIRD);

    expect(end).toEqual({ kind: 'publish', prefix: 2, culprit: 3 });
    expect(ran.filter((prefix) => prefix === 3)).toHaveLength(2);
    expect(ran).toContain(2);
  });

  test('given a default branch that is known to pass, then it is not checked again', () => {
    const known: Run = { files: 'main', checks: 'make', passed: 1, failed: 0, command: '', output: '' };

    expect(play(FROM_THE_THIRD, [known]).ran).not.toContain(0);
  });

  test('given a first work that breaks the checks, then there is nothing to publish and it is blamed', () => {
    const all = { a: 'fail', ab: 'fail', abc: 'fail', abcd: 'fail', abcde: 'fail' } as const;

    expect(play(all).end).toEqual({ kind: 'blame' });
  });

  test('given a check that fails once by chance, then nobody is blamed', () => {
    const flaky = { abcde: ['fail', 'pass'] } as const;

    expect(play(flaky).end).toEqual({ kind: 'publish', prefix: 5, culprit: null });
  });

  test('given a default branch that fails with everything on it, then it is red after two runs and nobody is blamed', () => {
    const red = { main: 'fail', a: 'fail', ab: 'fail', abc: 'fail', abcd: 'fail', abcde: 'fail' } as const;
    const { ran, end } = play(red);

    expect(end).toEqual({ kind: 'red' });
    expect(ran.filter((prefix) => prefix === 0)).toHaveLength(2);
  });

  test('given a broken default branch that the second work mends, then what passes is published', () => {
    const mended = { main: 'fail', a: 'fail', abcde: 'fail' } as const;

    expect(play(mended).end).toMatchObject({ kind: 'publish', culprit: 5 });
  });

  test('given other checks by now, then what passed before says nothing', () => {
    const known: Run = { files: 'abcde', checks: 'make old', passed: 1, failed: 0, command: '', output: '' };

    expect(play({}, [known]).ran).toEqual([5]);
  });
});
