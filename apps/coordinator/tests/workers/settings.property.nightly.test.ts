/**
 * Settings that are shown for a worker match its real ones: whatever people and the configuration say, and however agents start, die and
 * are lost.
 */
import type { Actor } from '@drover/api';
import type { WorkerSettings } from '@drover/protocol';
import type { LiveOptions, WorkerOptions, WorkerRow } from '@drover/store';
import { workerOptions } from '@drover/store/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drainDueWork } from '../../src/due/drain.ts';
import { startsAfter } from '../../src/loop/row-after.ts';
import { followAll, followed, liveOf } from '../../src/loop/subjects/live.ts';
import { createSettingsFleet } from '../../src/use-cases/workers/show.ts';
import { Nature } from '../support/scene.ts';
import { ENDS, READY, readingOf, twoMachines } from '../support/two-machines.ts';

/** Histories; each fault below is found within this number. */
const RUNS = { numRuns: Number(process.env['DROVER_RUNS'] ?? 30), seed: 13 };
const WITHIN_MS = 120_000 + RUNS.numRuns * 1_000;
const MIA: Actor = { kind: 'person', id: 'mia', name: 'mia', role: 'admin', project: null, worker: null };

type Change = Partial<Pick<LiveOptions, 'model' | 'rolePrompt' | 'role' | 'excludedFromPool'>>;

/** An event of the property test. */
type Happening =
  | { readonly kind: 'obey'; readonly answer: 'told' | 'told' | 'lost' }
  | { readonly kind: 'die' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'edit'; readonly change: Change; readonly follow: boolean }
  | { readonly kind: 'configure'; readonly says: Partial<LiveOptions> };

const model = fc.constantFrom(null, 'small', 'large');
const happenings: fc.Arbitrary<readonly Happening[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('obey' as const), answer: fc.constantFrom('told', 'told', 'lost') }),
    },
    { weight: 2, arbitrary: fc.constant({ kind: 'die' } as const) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1_000, 60_000, 600_000) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('edit' as const),
        change: fc.record(
          { model, role: fc.constantFrom('developer', 'tester'), excludedFromPool: fc.boolean() },
          { requiredKeys: [] },
        ),
        follow: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('configure' as const),
        says: fc.record({
          model,
          skipPermissions: fc.boolean(),
          rolePrompt: fc.constantFrom('', 'Be brief.'),
          sessionWidth: fc.constantFrom(80, 200),
        }),
      }),
    },
  ) as fc.Arbitrary<Happening>,
  { minLength: 4, maxLength: 40 },
);

/** A fault of the build: changes the row that a sound build stores after one event. */
type Fault = (
  row: WorkerRow,
  before: WorkerRow,
  what: { readonly kind: Happening['kind']; readonly says: WorkerOptions },
) => WorkerOptions;

/** Builds a worker, its machine, and the true state. */
async function scene(fault?: Fault) {
  const nature = new Nature();
  const two = await twoMachines(nature);
  const { ctx, database, honest } = two;
  let says: WorkerOptions = workerOptions();
  let own: Change = {};
  let lives = 0;
  /** Agent that really runs, and its settings at the start. */
  const box: { agent: { incarnation: string; settings: WorkerSettings } | null } = { agent: null };
  const fleet = createSettingsFleet(ctx, { defaults: () => ({ ...says, profiles: [] }) });
  const ida = await two.begin(honest, 'ida');
  const follow = () => followAll(ctx, { by: { kind: 'policy' }, dryRun: false, says: () => says });
  await follow();

  function row(): WorkerRow {
    const now = database.workers.get(ida.id);
    if (now === undefined) throw new Error('The worker is gone');
    return now;
  }

  async function obey(answer: 'told' | 'lost'): Promise<void> {
    const { inFlight } = row().state.command;
    if (inFlight === null) return;
    const { kind } = inFlight.command;
    const all = [...database.outbox.values(), ...database.ended.values()];
    const given = all.find(
      ({ workerId, body }) => workerId === ida.id && body.kind === 'command' && body.seq === inFlight.seq,
    );
    if (given === undefined) throw new Error('The command is gone');
    if (kind === 'respawn' || (kind === 'open' && box.agent === null)) {
      lives += 1;
      box.agent = { incarnation: `life ${lives}`, settings: given.settings };
    }
    if (kind === 'close') box.agent = null;
    const incarnation = box.agent?.incarnation ?? null;
    const ended = ENDS[kind];
    const done =
      kind === 'open' || kind === 'respawn' ? { kind: 'opened' as const, incarnation: incarnation ?? '' } : ended;
    const seen =
      done.kind === 'observed'
        ? { ...done, incarnation, screen: incarnation === null ? null : readingOf(READY, nature.now) }
        : done;
    const result = answer === 'lost' ? ({ kind: 'unknown', why: 'cut off' } as const) : seen;
    await two.say(honest, { kind: 'result', workerId: ida.id, ...two.commandOf(row()), result } as Parameters<
      typeof two.say
    >[1]);
    nature.now += 10;
    if (box.agent !== null && answer === 'told')
      await two.say(honest, {
        kind: 'screen',
        workerId: ida.id,
        incarnation: box.agent.incarnation,
        reading: readingOf(READY, nature.now),
      });
  }

  async function happen(what: Happening): Promise<void> {
    const before = row();
    await happenRightly(what);
    const now = row();
    const options = fault?.(now, before, { kind: what.kind, says });
    if (options !== undefined) database.workers.set(now.id, { ...now, options });
  }

  async function happenRightly(what: Happening): Promise<void> {
    switch (what.kind) {
      case 'obey':
        return obey(what.answer);
      case 'die': {
        const incarnation = box.agent?.incarnation;
        box.agent = null;
        if (incarnation === undefined) return undefined;
        const exit = { incarnation, status: 1, signal: null, lastLines: [], limit: null, at: nature.now };
        await two.say(honest, { kind: 'exit', workerId: ida.id, exit });
        return undefined;
      }
      case 'wait':
        nature.now += what.ms;
        await ctx.store.touchMachine(
          { machineId: honest.id, epoch: honest.epoch, agentEpoch: honest.agentEpoch },
          nature.now,
        );
        await drainDueWork(ctx);
        return undefined;
      case 'edit': {
        const follow = what.follow ? (['model', 'role'] as const) : [];
        const { model: _model, role: _role, ...kept } = own;
        own = { ...(what.follow ? kept : own), ...what.change };
        const done = await fleet.editWorker({ name: 'ida', ...what.change, follow: [...follow] }, MIA);
        expect(done.kind).toBe('ok');
        return undefined;
      }
      case 'configure':
        says = { ...says, ...what.says };
        await follow();
        return undefined;
    }
  }

  /** Compares the shown settings with the requested and the true ones. @returns whether they were known. */
  async function judge(): Promise<string> {
    const shown = await fleet.showWorker({ name: 'ida' }, MIA);
    if (shown.kind === 'refused') throw new Error(shown.message);
    const { agent, settings } = shown.value;
    const wanted: Record<string, unknown> = { role: 'developer', ...says, ...own };
    for (const { name, value, from, runs } of settings) {
      expect([name, value]).toEqual([name, wanted[name] ?? null]);
      expect([name, from]).toEqual([name, Object.hasOwn(own, name) ? 'worker' : 'configuration']);
      const { pane } = row().state.session;
      const isSeen = pane.kind === 'up' && pane.incarnation === box.agent?.incarnation;
      const real: Partial<Record<string, unknown>> = box.agent?.settings ?? {};
      if (runs !== null && isSeen) expect([name, runs.value]).toEqual([name, real[name] ?? null]);
    }
    return agent;
  }
  return { happen, judge, box };
}

test(
  'given any changes and any fate of its agents, when a worker is shown, then it runs with what is shown',
  { timeout: WITHIN_MS },
  async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(happenings, async (all) => {
        const { happen, judge } = await scene();
        for (const what of all) {
          await happen(what);
          const agent = await judge();
          seen.set(agent, (seen.get(agent) ?? 0) + 1);
        }
      }),
      RUNS,
    );

    expect([...seen.keys()].toSorted()).toEqual(['down', 'running', 'unknown']);
  },
);

const FAULTS: readonly { readonly name: string; readonly fault: Fault }[] = [
  {
    name: 'a new agent is shown with what the one before was started with',
    fault: ({ options }, before) => {
      const { started } = options;
      const former = before.options.started;
      if (started === undefined || former === undefined || started.incarnation === former.incarnation) return options;
      return { ...options, started: { ...former, incarnation: started.incarnation } };
    },
  },
  {
    name: 'a change of the settings is shown as if the agent that runs had it',
    fault: ({ options }, _before, { kind }) =>
      options.started !== undefined && (kind === 'edit' || kind === 'configure')
        ? { ...options, started: { ...options.started, model: options.model } }
        : options,
  },
  {
    name: 'of two starts whose end nobody knows the last one is believed',
    fault: ({ options }) =>
      options.starting === 'unclear'
        ? { ...options, starting: { ...liveOf(options), profile: options.profile } }
        : options,
  },
  {
    name: 'the configuration overrules the person',
    fault: ({ options }, _before, { kind, says }) =>
      kind === 'configure' ? followed(options, liveOf(says), {}) : options,
  },
  {
    name: 'the configuration does not reach a worker that is there',
    fault: ({ options }, before, { kind }) =>
      kind === 'configure' ? { ...options, ...liveOf(before.options) } : options,
  },
  {
    name: 'what a person gave back to the configuration stays theirs',
    fault: ({ options }, before, { kind }) =>
      kind === 'edit' ? { ...options, own: { ...before.options.own, ...options.own } } : options,
  },
];

test.each(FAULTS)(
  'given a build in which $name, when the same is played, then it is found',
  { timeout: WITHIN_MS },
  async ({ fault }) => {
    const played = await fc.check(
      fc.asyncProperty(happenings, async (all) => {
        const { happen, judge } = await scene(fault);
        for (const what of all) {
          await happen(what);
          await judge();
        }
      }),
      { ...RUNS, endOnFailure: true },
    );

    expect(played.failed).toBe(true);
  },
);

test('given a start whose end nobody knows and another one with other settings, when one of them is heard of, then nobody says which', () => {
  const options = { ...workerOptions({ model: 'large' }), starting: { ...workerOptions({ model: 'small' }) } };

  expect(startsAfter(options, { opened: null, starts: true })).toEqual({ starting: 'unclear' });
});
