// Checks that every history of a long run is played once, also when the run was stopped, and that a broken rule is reported.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { decide } from '@drover/core';
import { RULES } from '@drover/core/testing';
import { notePart, openRun, partsOf, playPart } from './parts.ts';

const dir = mkdtempSync(join(tmpdir(), 'properties-state-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const UNTOLD = { told: null, drawn: 99 };

test('given a run, when it is cut into parts, then each property gets all histories and no seed is used twice', () => {
  const parts = [...partsOf({ runs: 2_500, only: null }, 5)];

  for (const place of RULES.keys()) {
    const its = parts.filter(({ rule }) => rule === place);
    expect(its.map(({ runs }) => runs)).toEqual([1_000, 1_000, 500]);
  }
  expect(new Set(parts.map(({ seed }) => seed)).size).toBe(parts.length);
  expect(parts.map(({ index }) => index)).toEqual([...parts.keys()]);
});

test('given two runs with neighbouring seeds, when they are cut into parts, then they share no seed', () => {
  const seeds = [5, 6].flatMap((seed) => [...partsOf({ runs: 100_000, only: null }, seed)].map((part) => part.seed));

  expect(new Set(seeds).size).toBe(seeds.length);
});

test('given a run that was stopped, when it is opened again, then what was done is known, and another run is refused', () => {
  const file = join(dir, 'state.json');
  const run = openRun(file, { runs: 2_000, only: 'R8', source: 'a' }, { told: 7, drawn: 99 });
  const [part] = partsOf(run, run.seed);
  if (part === undefined) throw new Error('A run has a part');

  notePart(run, file, { part, runs: 1_000, cpuSeconds: 2, report: null });

  const again = openRun(file, { runs: 2_000, only: 'R8', source: 'a' }, UNTOLD);
  expect(again).toMatchObject({ seed: 7, done: [0], sums: { [part.rule]: { runs: 1_000, cpuSeconds: 2 } } });
  expect(() => openRun(file, { runs: 9, only: 'R8', source: 'a' }, UNTOLD)).toThrow(
    /another run \(--runs 2000 --only R8 --seed=7\)/,
  );
  expect(() => openRun(file, { runs: 2_000, only: 'R8', source: 'b' }, UNTOLD)).toThrow(/begun on another source/);
  expect(() => openRun(file, { runs: 2_000, only: null, source: 'a' }, UNTOLD)).toThrow(/holds another run/);
  expect(() => openRun(file, { runs: 2_000, only: 'R8', source: 'a' }, { told: 8, drawn: 99 })).toThrow(
    /holds another run/,
  );
});

test('given a policy that issues each command twice, when a part is played, then its report says how to play the history again', () => {
  const rule = RULES.findIndex(({ letter }) => letter === 'total');
  const part = { index: 0, rule, runs: 200, seed: 5 };

  const well = playPart(part, decide);
  const badly = playPart(part, (worker, event, ctx) => {
    const decision = decide(worker, event, ctx);
    return { ...decision, commands: [...decision.commands, ...decision.commands] };
  });

  expect(well).toMatchObject({ part, runs: 200, report: null });
  expect(badly.report).toMatch(/2 commands at once[^]*npm run properties -- --only total --history=-?\d+\/\d+$/);
});
