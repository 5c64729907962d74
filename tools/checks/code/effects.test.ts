// Checks that only adapters read the clock, chance, the network and the environment.
import { expect, test } from 'vitest';
import { effectProblems } from './effects.ts';
import { parseSource } from '../source/source.ts';

test.each([
  'const a = Date.now();',
  'const a = new Date();',
  'const now = Date.now;',
  'const { now } = Date;',
  'const a = Math.random();',
  "const a = Math['random']();",
  'const a = performance.now();',
  'setTimeout(() => {}, 1);',
  'const timers = { setInterval };',
  'globalThis.setImmediate(() => {});',
  "await fetch('http://x');",
  'const a = process.env;',
  'const { env } = process;',
  'const a = AbortSignal.timeout(5);',
  "import { setTimeout as sleep } from 'node:timers/promises';",
  "import process from 'node:process';",
  "export { performance } from 'node:perf_hooks';",
])('given a file that is no adapter, when it says %j, then that is a problem', (text) => {
  expect(effectProblems(parseSource('packages/store/src/a.ts', text))).not.toEqual([]);
});

test.each([
  'type Timer = ReturnType<typeof setTimeout>;',
  'type Ports = { fetch: () => Promise<Response>; setTimeout(ms: number): void };',
  'export function load(fetch: () => void) { fetch(); }',
  'ports.setTimeout(1);',
  'const text = new Date(5).toISOString();',
  'const isDate = value instanceof Date;',
  'process.exitCode = 1;',
])('given a file that is no adapter, when it says %j, then that is fine', (text) => {
  expect(effectProblems(parseSource('packages/store/src/a.ts', text))).toEqual([]);
});

test('given a pure room, when a file there names Date as a value, then that is a problem even without reading it', () => {
  const text = 'const text = new Date(5).toISOString();';

  expect(effectProblems(parseSource('packages/core/src/a.ts', text))).toHaveLength(1);
});

test.each(['packages/base/src/system-clock.ts', 'apps/coordinator/src/main.ts', 'packages/store/src/timer-adapter.ts'])(
  'given the adapter %s, when it reads the clock, then that is fine',
  (file) => {
    expect(effectProblems(parseSource(file, 'const a = Date.now();'))).toEqual([]);
  },
);
