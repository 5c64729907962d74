/** Builds questions about which people are called, for the tests of calls. */
import { DEFAULT_ONCALL } from '@drover/core';
import type { OncallPolicy } from '@drover/core';
import type { PlaceKey } from '@drover/store';
import type { Context } from '../../src/context/context.ts';
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

/** Builds two places, and a project with this policy. Trouble other than unreached people ends the test. */
export async function withPlaces(
  open: () => Promise<Stored>,
  names: readonly string[],
  changes: Partial<OncallPolicy>,
) {
  const scene = await troubled(open, names);
  const { nature } = scene;
  const errors: string[] = [];
  const log: Context['log'] = (level, message, fields) => {
    if (level !== 'error') return;
    if (!message.startsWith('No place') && !message.startsWith('Cannot show the question'))
      scene.ctx.log(level, message, fields);
    errors.push(message);
  };
  const ctx: Context = { ...scene.ctx, log };
  const [project] = await ctx.store.listProjects();
  if (project === undefined) throw new Error('There is no project');
  const escalation = { ...DEFAULT_ONCALL, steps: STEPS, ...changes };
  await ctx.store.upsertProject({ ...project, config: { ...project.config, escalation } }, 2);
  await ctx.store.transaction((tx) => tx.savePlace({ ...ROOM, personId: null, projectId: null, createdAt: 1 }));
  const pass = async (ms: number): Promise<void> => {
    nature.now += ms;
    await drainDueWork(ctx);
  };
  return {
    ...scene,
    ctx,
    /** Log lines about people who are not reached. */
    errors,
    /** Lets time pass and does due work: bots have shown due cards before. */
    pass: async (ms: number): Promise<void> => {
      await showDue(ctx, ['slack', 'telegram']);
      await pass(ms);
    },
    /** Lets time pass while no bot shows anything. */
    passUnshown: pass,
  };
}

/** Lets bots of these channels show all due cards, at once. */
export async function showDue(ctx: Context, channels: readonly string[]): Promise<void> {
  const now = ctx.clock.now();
  for (const channel of channels) {
    const due = await ctx.store.claimDeliveries({ channel, holder: 'a bot', until: now + 1_000, now }, 1_000);
    for (const { delivery, escalation } of due) {
      const key = { ...delivery, holder: 'a bot' };
      const { version } = escalation;
      await ctx.store.endDelivery(key, { kind: 'shown', version, ref: '1', pings: delivery.pingsWanted }, now);
    }
  }
}

/** Builds one worker whose question is open. `adas`: places of the person ada. */
export async function called(
  open: () => Promise<Stored>,
  changes: Partial<OncallPolicy>,
  adas: readonly PlaceKey[] = [],
) {
  const scene = await withPlaces(open, ['adam'], changes);
  const { ctx, first, incident, nature } = scene;
  const ada = { id: nature.uuid(), name: 'ada', role: 'responder', projectId: null, createdAt: 1 } as const;
  await ctx.store.transaction(async (tx) => {
    await tx.insertPerson(ada);
    for (const [index, place] of adas.entries())
      await tx.savePlace({ ...place, personId: ada.id, projectId: null, createdAt: index + 1 });
  });
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
