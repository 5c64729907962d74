/** Reads what this machine is and has. */
import { constants } from 'node:fs';
import { access, readFile, stat, statfs } from 'node:fs/promises';
import { availableParallelism, freemem, homedir, hostname, loadavg, totalmem } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

import type { HostFacts, HostLoad, Machine } from '../port/machine.ts';
import { localLoopback } from './loopback-adapter.ts';
import { localProcesses } from './processes.ts';
import { watchDirectory } from './watch.ts';

/** The machine half of the local host. @param environment What programs inherit. */
export function localMachine(environment: Readonly<Record<string, string>>): Machine {
  return {
    processes: localProcesses,
    loopback: localLoopback,
    link: { state: { kind: 'up' }, roundTripMs: 0, onChange: () => () => {} },
    facts: () => readFacts(environment['HOME']),
    load: () => Promise.resolve(readLoad()),
    environment: () => Promise.resolve(environment),
    clockOffsetMs: () => 0,
    noteTime: () => {},
    findProgram: (program) => findProgram(program, environment['PATH'] ?? ''),
    disk: diskOf,
    watch: watchDirectory,
  };
}

async function readFacts(home: string | undefined): Promise<HostFacts> {
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => null);
  return {
    hostname: hostname(),
    platform: process.platform,
    zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    bootId: bootId?.trim() ?? null,
    home: home ?? homedir(),
  };
}

function readLoad(): HostLoad {
  return {
    processors: availableParallelism(),
    load: loadavg()[0] ?? 0,
    // Memory that programs can still get: on Linux the caches of files count as free.
    memory: { bytes: totalmem(), freeBytes: freemem() },
  };
}

async function findProgram(program: string, path: string): Promise<string | undefined> {
  const places = isAbsolute(program) ? [program] : path.split(delimiter).map((directory) => join(directory, program));
  for (const place of program === '' ? [] : places) {
    try {
      await access(place, constants.X_OK);
      if ((await stat(place)).isFile()) return place;
    } catch {
      // The file is missing, or not for this user: try the next place.
    }
  }
  return undefined;
}

async function diskOf(path: string): Promise<{ readonly bytes: number; readonly freeBytes: number } | undefined> {
  try {
    const { blocks, bavail, bsize } = await statfs(path);
    return { bytes: blocks * bsize, freeBytes: bavail * bsize };
  } catch {
    return dirname(path) === path ? undefined : diskOf(dirname(path));
  }
}
