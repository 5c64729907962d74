/** Serves `drover worker show` and `edit`: a worker's options, their sources, and a person's changes. */
import type { Actor, editWorkerInput, Outcome, SettingsFleet, WorkerSettingsView } from '@drover/api';
import { tellSetUp } from '@drover/core';
import type { LiveOptions, WorkerRow } from '@drover/store';
import type { z } from 'zod';
import type { Context } from '../../context/context.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { refused } from '../../context/refused.ts';
import { defaultsOfWorker } from '../../facts/workers/defaults.ts';
import type { WorkerDefaults } from '../../facts/workers/defaults.ts';
import { findByName, readRoster, viewOf } from '../../facts/workers/find.ts';
import type { Roster } from '../../facts/workers/find.ts';
import { tellPayment } from '../../facts/machines/payment.ts';
import { envOf } from '../../facts/workers/settings.ts';
import {
  changeOptions,
  followed,
  LIVE,
  liveOf,
  ownOf,
  REACHES,
  runsWith,
  tellChanges,
} from '../../loop/subjects/live.ts';

type Defaults = (name: string) => WorkerDefaults;

export function createSettingsFleet(ctx: Context, { defaults }: { readonly defaults: Defaults }): SettingsFleet {
  return {
    showWorker: ({ name }, by) => showWorker(ctx, defaults, { name, by }),
    editWorker: (input, by) => editWorker(ctx, defaults, { ...input, by }),
  };
}

/** Shows all settings of one worker. */
async function showWorker(
  ctx: Context,
  defaults: Defaults,
  { name, by }: { readonly name: string; readonly by: Actor },
): Promise<Outcome<WorkerSettingsView>> {
  const roster = await readRoster(ctx, by);
  const found = findByName(roster, name);
  if (found.kind === 'refused') return found;
  const { row } = found;
  const machine = roster.machines.find(({ id }) => id === row.machineId);
  const project = roster.projects.find(({ id }) => id === row.projectId);
  const known = await ctx.store.listAccounts();
  const pays = tellPayment(ctx, row, { known, now: ctx.clock.now(), machine, project });
  return { kind: 'ok', value: { ...settingsView(roster, defaults, row), pays } };
}

/** Changes the named settings for good, and lets others follow the configuration again. Refuses with `not-found`. */
async function editWorker(
  ctx: Context,
  defaults: Defaults,
  { name, follow, by, ...changes }: z.infer<typeof editWorkerInput> & { readonly by: Actor },
): Promise<Outcome<WorkerSettingsView>> {
  const roster = await readRoster(ctx, by);
  const found = findByName(roster, name);
  if (found.kind === 'refused') return found;
  const { row } = found;
  const configured = liveOf(defaultsOfWorker(roster.projects, row, defaults));
  const done = await changeOptions(ctx, {
    id: row.id,
    by: causeOf(by),
    change: (options, says = configured) => {
      const kept = Object.entries(ownOf(options, says)).filter(([key]) => !follow.some((one) => one === key));
      const said = Object.entries(changes).filter(([, value]) => value !== undefined);
      return followed(options, says, Object.fromEntries([...kept, ...said]));
    },
  });
  if (done === null) return refused('not-found', `The worker "${name}" no longer exists`);
  if (done.length > 0) ctx.log('info', `${by.name} changed the settings of ${row.name}: ${tellChanges(done)}`);
  return showWorker(ctx, defaults, { name, by });
}

function settingsView(roster: Roster, defaults: Defaults, row: WorkerRow): Omit<WorkerSettingsView, 'pays'> {
  const live = liveOf(row.options);
  const own = ownOf(row.options, liveOf(defaultsOfWorker(roster.projects, row, defaults)));
  const runs = runsWith(row);
  const settings = LIVE.map((key) => {
    const running: Partial<LiveOptions> = runs ?? {};
    return {
      name: key,
      value: valueOf(live, key),
      from: Object.hasOwn(own, key) ? ('worker' as const) : ('configuration' as const),
      reaches: REACHES[key],
      runs: REACHES[key] === 'next start' && runs !== null ? { value: valueOf(running, key) } : null,
    };
  });
  const { profile, labels = [] } = row.options;
  const state =
    runs !== null
      ? ('running' as const)
      : row.state.session.pane.kind === 'up'
        ? ('unknown' as const)
        : ('down' as const);
  const project = roster.projects.find(({ id }) => id === row.projectId);
  const machine = roster.machines.find(({ id }) => id === row.machineId);
  const { setUp } = row.state.worktree;
  return {
    worker: viewOf(roster, row),
    profile,
    labels: [...labels],
    agent: state,
    index: row.options.index ?? 0,
    env: project === undefined ? {} : envOf(row, project),
    hears: machine?.condition?.programs.find(({ of, name }) => of === 'profile' && name === profile)?.hears ?? null,
    setUp: setUp === null ? null : tellSetUp(setUp),
    settings,
  };
}

function valueOf(live: Partial<LiveOptions>, key: keyof LiveOptions): string | number | boolean | string[] | null {
  const value = live[key] ?? null;
  return typeof value === 'object' && value !== null ? [...value] : value;
}
