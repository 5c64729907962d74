// Is nothing lost, and never a worker in two places, when agents and coordinators are killed at each step of moves?
import { expect, test } from 'vitest';
import { KILLS, killAt, MOVE_STEPS } from './kill-moves.ts';

const WITHIN_MS = 360_000;

test(
  'given workers that move, when an agent or all coordinators are killed at a point of each step, then every promise is kept',
  async () => {
    const broken: string[] = [];
    const reached = new Set<string>();

    // A third of the cases: each step with both victims, at one of its points. `npm run sim -- --kill-moves 20` plays all, 20 times each.
    for (const [index, at] of KILLS.entries()) {
      if (Math.floor(index / 2) % 3 !== Math.floor(index / 6) % 3) continue;
      const played = await killAt(at, { times: 1, salt: index + 1 });
      broken.push(...played.broken);
      if (played.hits > 0) reached.add(at.kind);
    }

    expect(broken).toEqual([]);
    expect([...reached]).toEqual([...MOVE_STEPS]);
  },
  WITHIN_MS,
);
