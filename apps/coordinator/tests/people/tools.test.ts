/** The tools of `drover mcp` are those that their caller may use: one table decides about both. On a store in memory. */
import { refusalOf, ROUTES } from '@drover/api';
import type { RouteName, ToolView } from '@drover/api';
import { expect, test } from 'vitest';
import { CALLERS, fleetOfTwo } from '../support/fleet-of-two.ts';
import type { Caller } from '../support/fleet-of-two.ts';
import { SAMPLES } from './route-samples.ts';

const AGENTS = ['tell', 'ask'];
const READS = ['run_list', 'run_show', 'run_why', 'worker_list', 'worker_show'];
const ACTS = ['run_start', 'run_plan', 'run_stop', 'run_pause', 'run_resume', 'worker_message', 'worker_start'];

const SHOWN: Readonly<Record<string, readonly string[]>> = {
  worker: AGENTS,
  viewer: READS,
  responder: READS,
  operator: [...READS, ...ACTS],
  admin: [...READS, ...ACTS],
};

const PEOPLE_AND_WORKER = CALLERS.filter((caller) => caller !== 'none' && caller !== 'machine');

async function toolsOf(caller: Caller): Promise<readonly ToolView[]> {
  const scene = await fleetOfTwo();
  const { status, data } = await scene.call('tools.list', { caller, input: undefined });
  expect(status).toBe(200);
  return data as readonly ToolView[];
}

test.each(PEOPLE_AND_WORKER)(
  'given %s, when it lists its tools, then it sees those of its role and no others',
  async (caller) => {
    const names = (await toolsOf(caller)).map(({ name }) => name);
    expect(names.toSorted()).toEqual([...(SHOWN[caller.split('+')[0] ?? ''] ?? [])].toSorted());
  },
);

test.each(PEOPLE_AND_WORKER)(
  'given %s, when it calls every tool that it sees, then none is refused for its role',
  async (caller) => {
    const scene = await fleetOfTwo();
    for (const { operation } of await toolsOf(caller)) {
      const name = operation as RouteName;
      const { status } = await scene.call(name, { caller, input: SAMPLES[name].input?.(scene.own) });
      expect({ name, status }).not.toEqual({ name, status: 403 });
    }
  },
);

test('given the tools of an admin, when their operations are looked up, then none merges work, answers a person or lets anybody in', async () => {
  const operations = (await toolsOf('admin+fleet')).map(({ operation }) => operation);
  for (const never of ['runs.answer', 'workers.accept', 'escalations.resolve', 'people.create', 'tokens.create'])
    expect(operations).not.toContain(never);
  const worker = { kind: 'worker', id: 'w', name: 'w', role: 'worker', project: null, worker: 'w' } as const;
  for (const name of operations)
    expect({ name, why: refusalOf(ROUTES[name as RouteName], worker) }).toMatchObject({ name });
});

test('given a tool, when its arguments are described, then what Drover fills in is hidden, and the rest is named', async () => {
  const tools = await toolsOf('operator');
  const start = tools.find(({ name }) => name === 'run_start');
  expect(start).toMatchObject({ operation: 'runs.start', hasRequestId: true, given: {} });
  expect(start?.schema).toMatchObject({ type: 'object', required: ['flow', 'inputs'] });
  expect(Object.keys(start?.schema['properties'] ?? {})).not.toContain('requestId');
  const stop = tools.find(({ name }) => name === 'run_stop');
  expect(stop).toMatchObject({ operation: 'runs.act', given: { act: 'stop' }, schema: { required: ['id'] } });
  expect(Object.keys(stop?.schema['properties'] ?? {})).toEqual(['id']);
});
