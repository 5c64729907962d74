import { expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { AGENT_NAMES, RELEASES } from '@drover/real-agents';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { section, withVersion } from './report.ts';

/** The rows of the table that the results become. */
function rowsOf(results: Parameters<typeof section>[0]['results']): readonly string[] {
  const text = section({
    agent: 'claude',
    isOverSsh: false,
    reviewer: null,
    release: RELEASES.claude,
    results,
    day: '2026-11-23',
    circumstances: 'alone',
  });
  return text.split('\n').filter((line) => /^\| (?!step)/u.test(line));
}

test('given texts that arrived in the same way, when they are written, then they are one row with each belief once', () => {
  const rows = rowsOf([
    { step: 'start', believed: 'idle', truth: 'it runs', ok: true },
    { step: 'text: short', believed: '1 piece', truth: 'verbatim', ok: true },
    { step: 'text: tabs', believed: '1 piece', truth: 'altered', ok: true },
    { step: 'text: 8 KB', believed: '9 pieces', truth: 'verbatim', ok: true },
    { step: 'text: leading -', believed: '1 piece', truth: 'verbatim', ok: true },
    { step: 'exit', believed: 'idle', truth: 'it runs', ok: true },
  ]);

  expect(rows).toEqual([
    '| start | idle | it runs | right |',
    '| text: short; 8 KB; leading - | 1 piece / 9 pieces | verbatim | right |',
    '| text: tabs | 1 piece | altered | right |',
    '| exit | idle | it runs | right |',
  ]);
});

test('given a text about which the belief was wrong, when it is written, then it has a row of its own', () => {
  const rows = rowsOf([
    { step: 'text: short', believed: 'delivered', truth: 'asked 0 times', ok: true },
    { step: 'text: tabs', believed: 'delivered', truth: 'asked 0 times', ok: false },
  ]);

  expect(rows).toEqual([
    '| text: short | delivered | asked 0 times | right |',
    '| text: tabs | delivered | asked 0 times | **wrong** |',
  ]);
});

test('given the trial of another version, when it is written twice, then the table has one row for it, the newer', () => {
  const page =
    'a\n\n<!-- versions -->\n\n| program | version | steps | day |\n|---|---|---|---|\n\n<!-- end: versions -->\n\nz\n';
  const step = { step: 'exit', believed: 'idle', truth: 'it ended', ok: false };
  const other = { ...RELEASES.claude, version: '9.9.8' };
  const from = { agent: 'claude', isOverSsh: false, reviewer: null, release: other, circumstances: 'alone' } as const;

  const once = withVersion(page, { ...from, results: [step], day: '2026-11-23' });
  const twice = withVersion(once, { ...from, results: [{ ...step, ok: true }], day: '2026-11-24' });

  expect(once).toContain('| Claude Code | 9.9.8 | **exit: wrong** | 2026-11-23 |');
  expect(twice.split('\n').filter((line) => line.startsWith('| Claude'))).toEqual([
    '| Claude Code | 9.9.8 | exit | 2026-11-24 |',
  ]);
  expect([twice.startsWith('a\n'), twice.endsWith('\nz\n')]).toEqual([true, true]);
});

test('given the versions that profiles call tried, when they are compared with the table, then it has their trials, and no wrong step of them', () => {
  const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');

  for (const agent of AGENT_NAMES) {
    const { name, others } = RELEASES[agent];
    const tried = others.filter((version) => BUILT_IN_PROFILES.get(agent)?.versions.includes(version));
    const right = others.filter((version) =>
      page
        .split('\n')
        .some((line) => line.includes(`| ${name} `) && line.includes(`| ${version} `) && !line.includes('wrong')),
    );
    expect([agent, right]).toEqual([agent, tried]);
  }
});
