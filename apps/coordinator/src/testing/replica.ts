/** Starts a replica for tests: on a given database, at a free port, without patrol. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '@drover/base';
import { REPOSITORY_MIGRATIONS } from '@drover/store/testing';
import type { CoordinatorOptions } from '../start/options.ts';
import { startCoordinator } from '../start/start.ts';
import type { Coordinator } from '../start/start.ts';
import { systemIds } from '../context/ids-adapter.ts';

/** Token of the person who calls the replica. */
export const SECRET = 'test-token-of-at-least-twenty-characters';

/** Starts a replica on a database; several may share one. */
export async function replica(databaseUrl: string, patch: Partial<CoordinatorOptions> = {}): Promise<Coordinator> {
  return startCoordinator({
    database: { kind: 'url', url: databaseUrl },
    migrationsDir: REPOSITORY_MIGRATIONS,
    host: '127.0.0.1',
    port: 0,
    log: () => {},
    clock: systemClock,
    ids: systemIds,
    random: () => 0.5,
    version: 'test',
    pid: process.pid,
    project: {
      id: randomUUID(),
      name: 'demo',
      source: '/source',
      root: '/clone',
      defaultBranch: 'main',
      config: { copyFiles: [], validate: [], validateTimeoutMs: 60_000, runHooks: false, preamble: '' },
    },
    defaults: () => ({
      profile: 'sim',
      profiles: ['sim', 'claude'],
      model: null,
      rolePrompt: '',
      skipPermissions: true,
      allowedTools: [],
      excludedFromPool: false,
      sessionWidth: 500,
      sessionHeight: 50,
    }),
    token: { name: 'test', secret: SECRET, kept: true },
    patrolEveryMs: null,
    fatal: () => {},
    stop: null,
    ...patch,
  });
}
