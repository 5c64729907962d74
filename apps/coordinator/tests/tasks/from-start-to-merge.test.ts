/** Does the coordinator do its main job over the real protocol and a real database? */
import { expect, test } from 'vitest';
import { PROTOCOL_VERSION, readInvitation } from '@drover/protocol';
import { BUILT_IN_DOCUMENTS } from '@drover/screen';
import { call, incarnations, newId, replica, scene, screen, until, workers } from '../support/coordinator.ts';
import { post, ScriptedMachine } from '../support/scripted-machine.ts';

test('given a connected machine, when a worker is added and given a task, then it comes to review and is merged', async () => {
  await using given = await scene();
  const { url } = given.coordinator;

  await call(url, 'workers.add', { orderId: newId(), name: 'adam' });
  await until(url, 'adam', 'idle');
  await call(url, 'workers.start', { orderId: newId(), prompt: 'make it so' });
  await until(url, 'adam', 'needs_review');
  const review = (await call(url, 'workers.review', {})) as { diff: string };
  await call(url, 'workers.accept', { orderId: newId() });
  await until(url, 'adam', 'idle');

  expect(review.diff).toBe('+work');
  const delivered = given.machine.commands.filter(({ order: one }) => one.kind === 'op' && one.op.kind === 'deliver');
  expect(delivered).toHaveLength(1);
});

test('given an order with the same id twice, when both arrive, then it is done once and answered twice', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  const id = newId();

  await call(url, 'workers.add', { orderId: id, name: 'adam' });
  await call(url, 'workers.add', { orderId: id, name: 'adam' });
  await until(url, 'adam', 'idle');

  expect(await workers(url)).toHaveLength(1);
});

test('given a task for any idle worker, when the same order is asked again, then no second worker gets it', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  await call(url, 'workers.add', { orderId: newId(), name: 'adam' });
  await call(url, 'workers.add', { orderId: newId(), name: 'bea' });
  await until(url, 'adam', 'idle');
  await until(url, 'bea', 'idle');
  const orderId = newId();

  const answers = [
    await call(url, 'workers.start', { orderId, prompt: 'make it so' }),
    await call(url, 'workers.start', { orderId, prompt: 'make it so' }),
  ] as { worker: { name: string } }[];

  expect(answers[1]?.worker.name).toBe(answers[0]?.worker.name);
  expect((await workers(url)).filter(({ status }) => status === 'idle')).toHaveLength(1);
});

test('given a crash of the agent program, when it is reported, then it is started again and the task is given anew', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  const { machine } = given;
  await call(url, 'workers.add', { orderId: newId(), name: 'adam' });
  const { id } = await until(url, 'adam', 'idle');
  const quick = machine.script;
  // The first time it takes the prompt and works on.
  machine.script = (command) =>
    quick(command).filter(
      ({ kind }) => kind !== 'screen' || command.order.kind !== 'op' || command.order.op.kind !== 'deliver',
    );
  await call(url, 'workers.start', { orderId: newId(), prompt: 'make it so' });
  await until(url, 'adam', 'working');
  await waitFor(() => machine.commands.some(({ order: one }) => one.kind === 'op' && one.op.kind === 'deliver'));
  machine.observe(screen(id, 'processing'));
  machine.script = quick;

  const incarnation = incarnations.get(id) ?? '';
  machine.observe({
    kind: 'exit',
    workerId: id,
    exit: { incarnation, status: null, signal: 9, lastLines: [], limit: null, at: 1 },
  });
  await until(url, 'adam', 'needs_review');

  const texts = machine.commands.flatMap(({ order: one }) =>
    one.kind === 'op' && one.op.kind === 'deliver' ? [one.op.text] : [],
  );
  expect(texts).toHaveLength(2);
  expect(texts[1]).toContain('the session was cut off');
  expect(texts[1]).toContain('make it so');
});

test('given two replicas, when the machine moves to the other in the middle, then the task goes on', async () => {
  await using given = await scene();
  await using other = await replica(given.databaseUrl, { token: null });
  const { url } = given.coordinator;
  await call(url, 'workers.add', { orderId: newId(), name: 'adam' });
  await until(url, 'adam', 'idle');

  given.machine.cut();
  await call(url, 'workers.start', { orderId: newId(), prompt: 'make it so' });
  await given.machine.hello();
  await given.machine.connect(other.url);
  await until(other.url, 'adam', 'needs_review');

  const delivered = given.machine.commands.filter(({ order: one }) => one.kind === 'op' && one.op.kind === 'deliver');
  expect(new Set(delivered.map(({ id }) => id)).size).toBe(1);
});

test('given observations that were stored, when they are sent again, then nothing happens twice', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  await call(url, 'workers.add', { orderId: newId(), name: 'adam' });
  await until(url, 'adam', 'idle');
  const before = given.machine.commands.length;

  given.machine.send(given.machine.observations);
  await waitFor(() => given.machine.storedThrough >= given.machine.observations.length);
  await call(url, 'info');

  expect(given.machine.commands).toHaveLength(before);
});

test('given a newer agent, when it says what this coordinator cannot read, then that is acknowledged and told once, and the rest is taken', async () => {
  const said: string[] = [];
  const log = (level: string, message: string): void => void (level === 'warn' && said.push(message));
  await using given = await scene({ log });
  const { url } = given.coordinator;
  await call(url, 'workers.add', { orderId: newId(), name: 'adam' });
  const { id: workerId } = await until(url, 'adam', 'idle');
  const newer = [
    { kind: 'weather', workerId, sky: 'clear' },
    { kind: 'screen', workerId, incarnation: 'x', look: { state: { kind: 'of-the-future' } } },
    { kind: 'weather', workerId, sky: 'grey' },
  ];

  for (const body of newer) given.machine.observe(body as never);
  given.machine.observe({ kind: 'panes', panes: [] });
  // The list of panes was heard: the session that is gone is opened again.
  await waitFor(() => opened(given.machine).size > 1);
  await waitFor(() => given.machine.storedThrough >= given.machine.observations.length);

  expect(said.filter((words) => words.includes('cannot read'))).toEqual([
    expect.stringContaining('(weather)'),
    expect.stringContaining('(screen)'),
  ]);
  expect(given.machine.closed).toBe(null);
});

function opened({ commands }: ScriptedMachine): ReadonlySet<string> {
  return new Set(commands.flatMap(({ id, order: one }) => (one.kind === 'op' && one.op.kind === 'open' ? [id] : [])));
}

test('given a machine that polls, when an answer with an order was lost, then the next poll has it again', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  await given.machine.hello();
  await call(url, 'workers.add', { orderId: newId(), name: 'adam' });

  const lost = await given.machine.poll(10);
  const next = await given.machine.poll(10);

  expect(lost.commands).toHaveLength(1);
  expect(next.commands).toEqual(lost.commands);
});

test('given a machine that polls, when an order is there, then the poll answers with it', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  given.machine.cut();
  await given.machine.hello();

  const polling = given.machine.poll(10);
  await call(url, 'workers.add', { orderId: newId(), name: 'adam' });
  const answer = await polling;

  expect(answer.commands.map(({ order: one }) => (one.kind === 'op' ? one.op.kind : one.kind))).toEqual(['prepare']);
});

test('given a newer hello, when the older connection lives on, then it is closed as superseded', async () => {
  await using given = await scene();

  await given.machine.hello();
  await waitFor(() => given.machine.closed !== null);

  expect(given.machine.closed?.code).toBe(4001);
});

test('given a newer hello, when the older connection still reports, then that is refused at once, and stored in the new one', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  await call(url, 'workers.add', { orderId: newId(), name: 'adam' });
  const { id } = await until(url, 'adam', 'idle');
  await waitFor(() => given.machine.storedThrough >= given.machine.observations.length);
  const before = given.machine.storedThrough;

  await given.machine.hello();
  given.machine.observe(screen(id, 'ready'));
  await waitFor(() => given.machine.closed !== null);

  expect(given.machine.closed?.code).toBe(4001);
  expect(given.machine.storedThrough).toBe(before);
  await given.machine.connect();
  await waitFor(() => given.machine.storedThrough > before);
});

test.each([
  [
    'a used token',
    async (url: string, token: string) =>
      post(`${url}/agent/join`, { ...PROTO, token: secretOf(token), name: 'second', publicKey: KEY }),
    'bad-token',
  ],
  [
    'a key that is none',
    async (url: string) => post(`${url}/agent/join`, { ...PROTO, token: 'x', name: 'second', publicKey: 'bm9uZQ==' }),
    'bad-key',
  ],
  [
    'an agent of an older protocol',
    async (url: string) => post(`${url}/agent/challenge`, { machineId: newId() }),
    'version.*update the older of the two',
  ],
  ['a body that is none', async (url: string) => post(`${url}/agent/challenge`, 'x'), 'bad-request'],
])('given %s, when it joins, then it is refused with a reason', async (_what, attempt, code) => {
  await using given = await scene();
  const token = await given.coordinator.invite();
  await using first = new ScriptedMachine(given.coordinator.url);
  await first.join(token, 'first');

  await expect(attempt(given.coordinator.url, token)).rejects.toThrow(new RegExp(code));
});

const PROTO = { proto: PROTOCOL_VERSION };

function secretOf(token: string): string {
  return readInvitation(token)?.secret ?? '';
}

const SIM = BUILT_IN_DOCUMENTS.find(({ id }) => id === 'sim');
const KEY = 'MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';

test('given a wrong token, when somebody asks, then the answer says what to do', async () => {
  await using given = await scene();

  const asking = call(given.coordinator.url, 'workers.list', undefined, 'not-the-token-at-all-really');

  await expect(asking).rejects.toThrow('The token is wrong or has expired');
});

test.each([
  ['an unknown worker', 'workers.message', { name: 'nobody', text: 'hello' }, 'There is no worker "nobody"'],
  ['a bad name', 'workers.add', { name: 'Not A Name' }, "cannot be a worker's name"],
  ['an empty prompt', 'workers.start', { prompt: '  ' }, 'The prompt is empty'],
  ['a prompt of 2 MiB', 'workers.start', { prompt: 'x'.repeat(2 << 20) }, 'larger than'],
  ['a task for a busy worker', 'workers.start', { name: 'adam', prompt: 'more' }, 'needs_review, not idle'],
  ['a name that is taken', 'workers.add', { name: 'adam' }, 'There is a worker "adam" already'],
  ['an unknown profile', 'workers.add', { name: 'eve', profile: 'none' }, 'There is no agent profile "none"'],
  ['the removal of unmerged work', 'workers.nuke', { name: 'adam', force: false }, 'has work that is not merged'],
])('given %s, when it is ordered, then it is refused in words', async (_what, path, input, words) => {
  await using given = await scene();
  const { url } = given.coordinator;
  await call(url, 'workers.add', { orderId: newId(), name: 'adam' });
  await until(url, 'adam', 'idle');
  await call(url, 'workers.start', { orderId: newId(), prompt: 'make it so' });
  await until(url, 'adam', 'needs_review');

  await expect(call(url, path, { orderId: newId(), ...input })).rejects.toThrow(words);
});

test('given a profile document, when it is put and taken back, then each sync brings the machine up to date', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  given.machine.cut();
  await given.machine.hello();
  const document = { ...SIM, id: 'mine' };

  await call(url, 'profiles.put', { document });
  const first = await given.machine.poll(0);
  await call(url, 'profiles.remove', { name: 'mine' });
  const second = await given.machine.poll(0, first.profiles?.revision);
  const third = await given.machine.poll(0, second.profiles?.revision);

  expect(first.profiles?.documents).toEqual([{ name: 'mine', document }]);
  expect(second.profiles?.documents).toEqual([]);
  expect(third.profiles).toBeNull();
});

test('given a document that is no profile, when it is put, then the answer names what is wrong with it', async () => {
  await using given = await scene();

  const putting = call(given.coordinator.url, 'profiles.put', { document: { ...SIM, typing: 'by hand' } });

  await expect(putting).rejects.toThrow('typing');
});

async function waitFor(condition: () => boolean, withinMs = 60_000): Promise<void> {
  await expect.poll(condition, { timeout: withinMs, interval: 20 }).toBe(true);
}
