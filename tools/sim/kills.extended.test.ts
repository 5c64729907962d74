// Kills agents and coordinators at each step of the way, and checks that nothing is lost, that there is one main, and that a worker is
// never in two places.
import { expect, test } from 'vitest';
import { DECISIONS, KILLS, killAt, STEPS } from './kills.ts';

const WITHIN_MS = 1_200_000;

test(
  'given work that is accepted, goes by train, moves or is part of a run, when an agent or coordinators are killed in each step, then every promise is kept',
  async () => {
    const broken: string[] = [];
    const reached = new Set<string>();

    // Each step at one of its nine places, in turn. `npm run sim -- --kills 20` plays all of them, 20 times each.
    for (const [index, at] of KILLS.entries()) {
      if (DECISIONS.includes(at.kind) || index % 9 !== Math.floor(index / 9) % 9) continue;
      const played = await killAt(at, { times: 1, salt: index + 1 });
      broken.push(...played.broken);
      if (played.hits > 0) reached.add(`${at.way} ${at.kind}`);
    }

    expect(broken).toEqual([]);
    const all = Object.entries(STEPS).flatMap(([way, kinds]) => kinds.map((kind) => `${way} ${kind}`));
    expect([...reached].toSorted()).toEqual(all.toSorted());
  },
  WITHIN_MS,
);

test(
  'given runs, when a coordinator dies in each step that it takes alone, before or after the commit, then every promise is kept',
  async () => {
    const broken: string[] = [];
    const reached = new Set<string>();

    for (const [index, kind] of DECISIONS.entries()) {
      const point = index % 2 === 0 ? 'deciding' : 'decided';
      const played = await killAt({ way: 'run', who: 'coordinator', kind, point }, { times: 1, salt: index + 1 });
      broken.push(...played.broken);
      if (played.hits > 0) reached.add(kind);
    }

    expect(broken).toEqual([]);
    expect([...reached]).toEqual(DECISIONS);
  },
  WITHIN_MS,
);
