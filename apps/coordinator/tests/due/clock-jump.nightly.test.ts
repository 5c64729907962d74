/** A jump of the clock of all replicas loses no work, and restarts no working agent. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@drover/base';
import { expect, test } from 'vitest';
import { jumpDatabaseClock, makeJumpyClock } from '../support/database-time.ts';
import { call, obedient, newId, scene, screen, story, until } from '../support/coordinator.ts';
import type { Scene } from '../support/coordinator.ts';

const HOUR_MS = 3_600_000;

/** A scene with a clock that jumps on request. */
interface Jumpy {
  readonly given: Scene;
  readonly jump: (ms: number) => Promise<void>;
}

/** Starts a server of the test's own, whose clock is set. */
async function ownServer(): Promise<Jumpy> {
  const given = await scene({}, makeJumpyClock);
  return { given, jump: (ms) => jumpDatabaseClock(given.databaseUrl, ms) };
}

/** Starts Drover's own Postgres, on the computer whose clock is set. */
async function embedded(stack: AsyncDisposableStack): Promise<Jumpy> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'drover-clock-'));
  await chmod(dataDir, 0o711); // as root the database runs as another user, who must pass
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  let offset = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + offset };
  const given = await scene({ clock, database: { kind: 'embedded', dataDir } });
  return {
    given,
    jump: (ms) => {
      offset += ms;
      return Promise.resolve();
    },
  };
}

test.each([
  ['of a server', 'forwards', HOUR_MS, ownServer],
  ['of a server', 'backwards', -HOUR_MS, ownServer],
  ['of the computer', 'forwards', HOUR_MS, embedded],
  ['of the computer', 'backwards', -HOUR_MS, embedded],
])(
  'given a worker at its task, when the clock %s jumps an hour %s, then it works on and its one prompt comes to review',
  async (_, _direction, jumpMs, open) => {
    await using stack = new AsyncDisposableStack();
    const { given, jump } = await open(stack);
    stack.use(given);
    const { url } = given.coordinator;
    const { machine } = given;
    // The machine's access token expires after an hour, and the coordinator checks it every few seconds.
    machine.renews = true;
    // A real machine gives a sign of life every 5 s: without one it counts as lost on a slow computer.
    const signs = setInterval(() => machine.send([]), 1_000);
    stack.defer(() => clearInterval(signs));
    await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
    const { id } = await until(url, 'adam', 'idle');
    // The agent takes the prompt and works until told otherwise; each reading of its screen says so.
    let works = true;
    machine.script = (command) => {
      const answers = obedient(command);
      const isDelivery = command.body.kind === 'command' && command.body.command.kind === 'deliver';
      if (!works || !isDelivery) return works ? answers.map((body) => busy(body, id)) : answers;
      return [...answers.filter(({ kind }) => kind === 'result'), screen(id, 'processing')];
    };
    await call(url, 'workers.start', { requestId: newId(), prompt: 'make it so' });
    await untilTaken(given, 'make it so');
    machine.observe(screen(id, 'processing'));
    // On a loaded machine the result may come later: an hour then passes for a delivery, not for a worker at its task.
    await untilHeard(url, 'taken:task');

    await jump(jumpMs);
    await untilSeen(url, () => machine.observe(screen(id, 'processing')), jumpMs);
    await call(url, 'workers.message', { requestId: newId(), name: 'adam', text: 'go on' });
    await untilTaken(given, 'go on');
    works = false;
    machine.observe(screen(id, 'ready'));
    await until(url, 'adam', 'needs_review');

    const commands = machine.commands.flatMap(({ body: one }) => (one.kind === 'command' ? [one.command] : []));
    const prompts = commands.filter((one) => one.kind === 'deliver' && one.text.includes('make it so'));
    expect(prompts).toHaveLength(1);
    expect(commands.filter(({ kind }) => kind === 'open' || kind === 'respawn')).toHaveLength(1);
    await call(url, 'workers.review', {});
    await call(url, 'workers.accept', { requestId: newId() });
    await until(url, 'adam', 'idle');
  },
);

/** Waits until the coordinator's times are as far off as its clock: it notices a jump within a second. */
async function untilSeen(url: string, observe: () => void, offMs: number): Promise<void> {
  const end = systemClock.now() + 120_000;
  for (;;) {
    observe();
    const [machine] = (await call(url, 'machines.list')) as readonly { lastSeenAt: number }[];
    if (Math.abs((machine?.lastSeenAt ?? 0) - systemClock.now() - offMs) < HOUR_MS / 2) return;
    if (systemClock.now() > end) throw new Error('The jump was not seen');
    await new Promise<void>((resolve) => systemClock.after(50, resolve));
  }
}

/** Waits until a rule has fired for the worker. */
async function untilHeard(url: string, rule: string): Promise<void> {
  const end = systemClock.now() + 120_000;
  for (;;) {
    const { history } = (await call(url, 'workers.why', { name: 'adam', limit: 100 })) as {
      readonly history: readonly { readonly rules: readonly string[] }[];
    };
    if (history.some(({ rules }) => rules.includes(rule))) return;
    if (systemClock.now() > end) throw new Error(`"${rule}" did not fire\n${await story(url, 'adam')}`);
    await new Promise<void>((resolve) => systemClock.after(50, resolve));
  }
}

/** Waits until the machine was given a text: later observations come after the start of that turn. */
async function untilTaken({ coordinator, machine: { commands } }: Scene, text: string): Promise<void> {
  const end = systemClock.now() + 120_000;
  const isTaken = (): boolean =>
    commands.some(
      ({ body: one }) => one.kind === 'command' && one.command.kind === 'deliver' && one.command.text.includes(text),
    );
  while (!isTaken()) {
    if (systemClock.now() > end)
      throw new Error(`"${text}" was not delivered\n${await story(coordinator.url, 'adam')}`);
    await new Promise<void>((resolve) => systemClock.after(20, resolve));
  }
  // Waits past the same millisecond: an observation in it may be of before.
  await new Promise<void>((resolve) => systemClock.after(5, resolve));
}

/** Replaces an observation's screen by that of a working agent. */
function busy(body: ReturnType<typeof obedient>[number], workerId: string): typeof body {
  if (body.kind !== 'result' || body.result.kind !== 'observed') return body;
  const seen = screen(workerId, 'processing');
  return seen.kind === 'screen' ? { ...body, result: { ...body.result, screen: seen.reading } } : body;
}
