/** Questions about which people are called, for the tests of calls. */
import { DEFAULT_ONCALL } from '@drover/core';
import type { OncallPolicy } from '@drover/core';
import { drainDueWork } from '../../src/due/drain.ts';
import { listEscalations } from '../../src/use-cases/escalations/escalations.ts';
import { respond } from '../../src/use-cases/escalations/respond.ts';
import type { Said } from '../../src/use-cases/escalations/respond.ts';
import { ANN, OPEN, open4, troubled } from './questions.ts';
import { asks, decided } from './scene.ts';
import type { Stored } from './scene.ts';

const MINUTE = 60_000;
const ROOM = { channel: 'slack', address: 'C012' } as const;
const STEPS = [
  { afterMs: 0, notify: ['slack:C012'] },
  { afterMs: 10 * MINUTE, notify: ['telegram:7'] },
];

/** Two places, and a project with this policy. */
export async function withPlaces(
  open: () => Promise<Stored>,
  names: readonly string[],
  changes: Partial<OncallPolicy>,
) {
  const scene = await troubled(open, names);
  const { ctx, nature } = scene;
  const [project] = await ctx.store.listProjects();
  if (project === undefined) throw new Error('There is no project');
  const escalation = { ...DEFAULT_ONCALL, steps: STEPS, ...changes };
  await ctx.store.upsertProject({ ...project, config: { ...project.config, escalation } }, 2);
  await ctx.store.transaction((tx) => tx.savePlace({ ...ROOM, personId: null, projectId: null, createdAt: 1 }));
  return {
    ...scene,
    /** Time passes, and what is due is done. */
    pass: async (ms: number): Promise<void> => {
      nature.now += ms;
      await drainDueWork(ctx);
    },
  };
}

/** One worker whose question is open. */
export async function called(open: () => Promise<Stored>, changes: Partial<OncallPolicy>) {
  const scene = await withPlaces(open, ['adam'], changes);
  const { ctx, first, incident } = scene;
  const asking = asks(incident);
  const options = [...asking.question.options, { id: 'skip', label: 'End the task', needsText: false }];
  const record = { ...asking, question: { ...asking.question, options } };
  const patch = open4(incident);
  const waiting = { ...patch, incident: { open: { ...patch.incident.open, options } } };
  await decided(ctx, first.id, { records: [record], patch: waiting });
  const [escalation] = await listEscalations(ctx, OPEN, ANN);
  if (escalation === undefined) throw new Error('no question was asked');
  const { id } = escalation;
  return {
    ...scene,
    id,
    say: (said: Said) => respond(ctx, { id, said }, ANN),
    pings: async () => {
      const rows = await ctx.store.listDeliveries(id);
      return Object.fromEntries(
        rows.map(({ channel, address, pingsWanted }) => [`${channel}:${address}`, pingsWanted]),
      );
    },
  };
}
