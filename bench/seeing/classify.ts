// Measures how long it takes to tell what one recorded screen shows.
import { detect } from '@drover/screen';
import { CAPTURES, inputOf, profileOf } from '../../packages/screen/tests/captures.ts';
import type { Figure } from '../src/figures.ts';
import { median, percentile } from '../src/table.ts';

/** Judges every recorded capture `rounds` times, after one round to warm up; with 0 rounds, every tenth capture once. */
export function measureClassify({ rounds }: { rounds: number }): readonly Figure[] {
  const chosen = CAPTURES.filter((_, index) => rounds > 0 || index % 10 === 0);
  const wide = chosen.map((capture) => ({ profile: profileOf(capture), input: atFullSize(inputOf(capture)) }));
  const times: number[] = [];
  for (let round = 0; round <= Math.max(1, rounds); round += 1) {
    for (const { profile, input: seen } of wide) {
      const startedAt = performance.now();
      detect(profile, seen);
      if (round > 0) times.push(performance.now() - startedAt);
    }
  }
  return [
    {
      what: `classify one capture, at least 220×50 (${wide.length} recorded screens)`,
      measured: `median ${median(times).toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms`,
      aim: { is: 'median under 1 ms', isKept: median(times) < 1 },
    },
  ];
}

type Seen = ReturnType<typeof inputOf>;

/** A recorded screen as it would stand in a pane of 50 rows with 220 columns: what is missing scrolled by above it. */
function atFullSize(seen: Seen): Seen {
  const rows = seen.capture.split('\n');
  const missing = Math.max(0, 51 - rows.length);
  const text = 'words that the agent printed earlier, '.repeat(6).slice(0, 220);
  const cursorRow = seen.facts.cursorRow === null ? null : seen.facts.cursorRow + missing;
  const capture = [...Array.from({ length: missing }, () => text), ...rows].join('\n');
  return { ...seen, capture, facts: { ...seen.facts, cursorRow } };
}
