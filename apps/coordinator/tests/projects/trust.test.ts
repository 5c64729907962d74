/** Trust is asked once for a project, decided by people alone, and answers every worker that waits. */
import type { AgentState, CommandResult, WorkerEvent } from '@drover/core';
import { DEFAULT_ONCALL } from '@drover/core';
import type { WorkerRow } from '@drover/store';
import { expect, test } from 'vitest';
import type { Context } from '../../src/context/context.ts';
import { drainDueWork } from '../../src/due/drain.ts';
import { handleEvent } from '../../src/loop/handle-events.ts';
import { resolveEscalation } from '../../src/loop/escalations/answer.ts';
import { listEscalations } from '../../src/use-cases/escalations/escalations.ts';
import { createProjectFleet } from '../../src/use-cases/projects/fleet.ts';
import { person } from '../support/actors.ts';
import { ANN, OPEN, troubled, workerOf } from '../support/questions.ts';
import { inMemory, recorded } from '../support/scene.ts';

const [YES, NO] = ['Yes, allow external imports', 'No'];

const IMPORTS: AgentState = {
  kind: 'dialog',
  dialog: {
    kind: 'other',
    title: 'Allow external CLAUDE.md file imports?',
    body: '/tmp/ext.md',
    options: [
      { label: NO, highlighted: true },
      { label: YES, highlighted: false },
    ],
    trust: { kind: 'imports', accept: YES, refuse: NO },
  },
};

const ADMIN = person('ada', { role: 'admin' });

test('given two workers that ask for the same, when a person answers, then it was one question, both are answered, and it is kept', async () => {
  await using scene = await fleet(['adam', 'bea']);
  await scene.ask('adam');
  await scene.ask('bea');

  const questions = await scene.questions();
  expect(questions.map(({ title, asked }) => [title, asked])).toEqual([
    ['2 workers of shop: asks: Allow external CLAUDE.md file imports?', 1],
  ]);
  expect(await scene.answer(YES)).toMatchObject({ kind: 'ok', value: { status: 'resolved' } });

  expect(await scene.trust()).toEqual({ imports: true });
  for (const name of ['adam', 'bea']) expect(await scene.choiceOf(name)).toEqual({ kind: 'label', label: YES });
  expect(await scene.audited()).toContainEqual(
    expect.objectContaining({ action: 'project-trusted', actor: 'person ann', details: { imports: true } }),
  );
});

test('given an answer "no", when the next worker asks for the same, then it is refused there and nobody is asked', async () => {
  await using scene = await fleet(['adam', 'bea']);
  await scene.ask('adam');
  await scene.answer(NO);

  await scene.ask('bea');

  expect(await scene.trust()).toEqual({ imports: false });
  expect(await scene.choiceOf('bea')).toEqual({ kind: 'label', label: NO });
  expect(await scene.questions()).toEqual([]);
});

test('given an open question, when a person decides by command, then its workers are answered and the question is closed', async () => {
  await using scene = await fleet(['adam', 'bea']);
  await scene.ask('adam');
  await scene.ask('bea');

  await scene.projects.trustProject({ name: 'shop', kinds: ['imports'], isTrusted: true }, ADMIN);
  await drainDueWork(scene.ctx);

  for (const name of ['adam', 'bea']) {
    expect(await scene.choiceOf(name)).toEqual({ kind: 'label', label: YES });
    await scene.hear(name, finished({ kind: 'answered', label: YES }));
  }
  expect(await scene.questions()).toEqual([]);
});

test('given a question that opens after a decision which its worker did not see, when it opens, then the decision answers it', async () => {
  await using scene = await fleet(['adam']);
  await scene.ask('adam');
  const row = await workerOf(scene.ctx, 'adam');
  const open4 = row.state.incident.open;
  if (open4 === null) throw new Error('nobody was asked');
  await scene.ctx.store.transaction((tx) => tx.setTrust(row.projectId, { imports: true }));
  const question = { kind: 'choice', title: '', body: '', options: open4.options, trust: 'imports' } as const;
  const asked = { kind: 'escalated', incident: open4.id, code: 'AGENT_BLOCKED', why: '', question } as const;

  await scene.ctx.store.transaction((tx) =>
    recorded(scene.ctx, tx, { row, after: row.state, event: { kind: 'up-requested' }, records: [asked], fresh: '' }),
  );
  await drainDueWork(scene.ctx);

  expect(await scene.choiceOf('adam')).toEqual({ kind: 'label', label: YES });
});

test('given a decision, when it is forgotten, then the next dialog is asked about again', async () => {
  await using scene = await fleet(['adam']);
  const said = (isTrusted: boolean | null) =>
    scene.projects.trustProject({ name: 'shop', kinds: ['imports', 'mcp'], isTrusted }, ADMIN);
  await said(true);
  const shown = await said(null);

  await scene.ask('adam');

  expect(shown).toMatchObject({
    value: {
      trust: expect.arrayContaining([
        { kind: 'imports', lets: expect.any(String), is: 'asked', isDecided: false },
        { kind: 'folder', lets: expect.any(String), is: 'given', isDecided: false },
        { kind: 'api-key', lets: expect.any(String), is: 'refused', isDecided: false },
      ]),
    },
  });
  expect(await scene.trust()).toEqual({});
  expect(await scene.questions()).toHaveLength(1);
});

test('given the first worker is removed, when the other still waits, then the question stays for it', async () => {
  await using scene = await fleet(['adam', 'bea']);
  await scene.ask('adam');
  await scene.ask('bea');
  const { id } = await workerOf(scene.ctx, 'adam');
  await scene.ctx.store.transaction((tx) =>
    handleEvent(scene.ctx, tx, { workerId: id, event: { kind: 'machine-removed' }, by: { kind: 'policy' } }),
  );

  expect(await scene.questions()).toHaveLength(1);
  await scene.answer(YES);

  expect(await scene.choiceOf('bea')).toEqual({ kind: 'label', label: YES });
});

test('given a question that nobody answers, when the timeout says no, then this dialog is answered and the project has no decision', async () => {
  await using scene = await fleet(['adam']);
  const [project] = await scene.ctx.store.listProjects();
  if (project === undefined) throw new Error('There is no project');
  const escalation = { ...DEFAULT_ONCALL, timeout: { afterMs: 60_000, answer: 'no' } as const };
  await scene.ctx.store.upsertProject({ ...project, config: { ...project.config, escalation } }, 2);
  await scene.ask('adam');

  scene.nature.now += 61_000;
  await drainDueWork(scene.ctx);

  expect(await scene.choiceOf('adam')).toEqual({ kind: 'label', label: NO });
  expect(await scene.trust()).toEqual({});
});

test('given people without the right, when they answer or decide, then nothing is kept', async () => {
  await using scene = await fleet(['adam']);
  await scene.ask('adam');

  expect(await scene.answer(YES, person('vic', { role: 'viewer' }))).toMatchObject({ code: 'forbidden' });
  expect(await scene.answer(YES, person('pat', { role: 'admin', project: scene.nature.uuid() }))).toMatchObject({
    kind: 'refused',
  });
  expect(await scene.answer('mcp')).toMatchObject({ kind: 'refused' });

  expect(await scene.trust()).toEqual({});
  expect(await scene.questions()).toHaveLength(1);
});

test('given a machine that reports an answer of its own, when nobody gave one, then no project has a decision', async () => {
  await using scene = await fleet(['adam']);
  await scene.ask('adam');

  await scene.hear('adam', finished({ kind: 'answered', label: YES }));
  await scene.hear('adam', ({ state }) => {
    const incident = state.incident.open?.id ?? '';
    return { kind: 'escalation-answered', incident, option: YES, text: null, by: 'adam' };
  });

  expect(await scene.choiceOf('adam')).toEqual({ kind: 'label', label: YES });
  expect(await scene.trust()).toEqual({});
});

/** Builds workers whose programs start. */
async function fleet(names: readonly string[]) {
  const scene = await troubled(inMemory, names);
  const { ctx, nature } = scene;
  const hear = async (name: string, eventOf: (row: WorkerRow) => WorkerEvent): Promise<void> => {
    const row = await workerOf(ctx, name);
    const by = { kind: 'machine', id: row.machineId, name: 'laptop' } as const;
    nature.now += 1;
    await ctx.store.transaction((tx) => handleEvent(ctx, tx, { workerId: row.id, event: eventOf(row), by }));
  };
  return {
    ...scene,
    hear,
    projects: createProjectFleet(ctx),
    /** Starts the worker's program, which asks for trust. */
    ask: async (name: string): Promise<void> => {
      const incarnation = `pane of ${name}`;
      await hear(name, () => ({ kind: 'up-requested' }));
      await hear(name, finished({ kind: 'prepared', base: 'a', head: 'a', saved: null }));
      await hear(name, finished({ kind: 'opened', incarnation }));
      const reading = { at: nature.now, state: IMPORTS, fingerprint: name, progress: '', rule: 'dialog-other' };
      await hear(name, () => ({ kind: 'screen-seen', incarnation, reading }));
    },
    questions: () => listEscalations(ctx, OPEN, ANN),
    answer: async (option: string, by = ANN) => {
      const [{ id, asked } = { id: '', asked: 0 }] = await listEscalations(ctx, OPEN, ANN);
      return resolveEscalation(ctx, { requestId: nature.uuid(), id, option, asked }, by);
    },
    trust: async () => (await ctx.store.listProjects())[0]?.trust,
    choiceOf: async (name: string) => choiceOf(await workerOf(ctx, name)),
    audited: () => auditOf(ctx),
  };
}

function choiceOf({ state }: WorkerRow): unknown {
  const command = state.command.inFlight?.command;
  return command?.kind === 'answer' ? command.choice : command?.kind;
}

function finished(result: CommandResult): (row: WorkerRow) => WorkerEvent {
  return ({ state }) => ({ kind: 'command-finished', seq: state.command.inFlight?.seq ?? 0, result });
}

async function auditOf({ store }: Context): Promise<readonly unknown[]> {
  const rows = await store.listAudit({ limit: 100 });
  return rows.map(({ body }) => JSON.parse(body) as unknown);
}
