import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createLocalHost } from '@drover/host';
import { expect, onTestFinished, test } from 'vitest';
import type { Service } from './service.ts';
import { installedPackage, upgrade, type Upgraded } from './upgrade.ts';

function drover(version: string, { agent = 'exit 0', install = 'exit 0' }): readonly string[] {
  return [
    `case "$1 $2" in --version*) echo ${version}; exit 0 ;; "server agent") log "${version} tries"; ${agent} ;; esac`,
    `log "${version} $*"; [ "$3" = install ] && { ${install}; }`,
  ];
}

/** Makes an installed package 1.0 whose service runs, and a file of 2.0; `how` sets the behaviour of the new one. */
async function makeYard(how: { readonly agent?: string; readonly install?: string }) {
  const directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'drover-up-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const at = (...names: string[]): string => path.join(directory, ...names);
  const script = async (file: string, lines: readonly string[]): Promise<void> => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, ['#!/bin/sh', `log() { echo "$*" >> '${at('log')}'; }`, ...lines, ''].join('\n'));
    await chmod(file, 0o755);
  };
  const root = at('prefix/lib/node_modules/drover');
  await script(path.join(root, 'bin/drover'), drover('1.0', {}));
  await script(path.join(root, 'runtime/node'), []);
  await script(at('new/bin/drover'), drover('2.0', how));
  await script(at('bin/npm'), [`mkdir -p "$5/lib/node_modules" && cp -R '${at('new')}' "$5/lib/node_modules/drover"`]);
  await script(at('bin/service'), ['log "service $1"; [ "$1" != status ] || echo runs']);
  const step = (word: string) => ({ words: [at('bin/service'), word] as [string, string] });
  const service: Service = {
    file: at('unit'),
    text: '',
    install: [],
    uninstall: [],
    stop: step('stop'),
    start: step('start'),
    status: step('status'),
    read: (answer) => (answer.includes('runs') ? { state: 'running', pid: 1 } : null),
  };
  const host = createLocalHost({ env: { PATH: `${at('bin')}:${process.env['PATH'] ?? ''}` } });
  const run = (): Promise<Upgraded> => upgrade({ host, root, file: at('new.tgz'), service, warn: () => {} });
  const log = async (): Promise<string[]> =>
    (await readFile(at('log'), 'utf8'))
      .trim()
      .split('\n')
      .filter((line) => line !== 'service status');
  const versionHere = async (): Promise<string> =>
    (await host.run(path.join(root, 'bin/drover'), ['--version'], { timeoutMs: 9_000 })).stdout.trim();
  return { at, root, run, log, versionHere };
}

test('given a new version that reaches the coordinator, when a machine is upgraded, then the service stops, the new agent tries, and the new service runs', async () => {
  const { run, log, versionHere } = await makeYard({});

  expect(await run()).toEqual({ from: '1.0', to: '2.0', isServed: true });

  expect(await log()).toEqual(['service stop', '2.0 tries', '2.0 machine service install']);
  expect(await versionHere()).toBe('2.0');
});

test.each([
  [
    'whose agent does not reach the coordinator',
    { agent: 'echo refused: version >&2; exit 5' },
    /refused: version/,
    [],
  ],
  [
    'that is too old for a trial',
    {
      agent: `echo "drover: unknown option '--until-connected'" >&2; echo 'See "drover server agent --help".' >&2; exit 2`,
    },
    /unknown option '--until-connected'/,
    [],
  ],
  ['whose service does not start', { install: 'exit 3' }, /start the service/, ['2.0 machine service install']],
])(
  'given a new version %s, when a machine is upgraded, then the old one is in its place and runs again',
  async (_, how, why, more) => {
    const { run, log, versionHere } = await makeYard(how);

    await expect(run()).rejects.toThrow(why);

    expect(await log()).toEqual(['service stop', '2.0 tries', ...more, 'service start']);
    expect(await versionHere()).toBe('1.0');
  },
);

test('given a checkout or a package, when the one that runs is looked for, then only the package is taken', async () => {
  const { at, root } = await makeYard({});

  expect(await installedPackage(path.join(root, 'bin/drover'))).toBe(root);
  await expect(installedPackage(at('new/bin/drover'))).rejects.toThrow('npm did not install this drover');
});
