/** What happens when the coordinator's clock jumps? No work is lost, and no agent that works is started again. */
import { expect, test } from 'vitest';
import { systemClock, type Clock } from '../src/index.ts';
import { call, obedient, order, scene, screen, until } from './support.ts';

const HOUR_MS = 3_600_000;

/** The machine's clock, set wrong when asked; timers go on, as the kernel's do. */
function jumpyClock(): Clock & { jump(ms: number): void } {
  let offset = 0;
  return {
    now: () => systemClock.now() + offset,
    after: systemClock.after,
    jump: (ms) => {
      offset += ms;
    },
  };
}

test.each([
  ['forwards', HOUR_MS],
  ['backwards', -HOUR_MS],
])(
  'given a worker at its task, when the clock jumps an hour %s, then it works on and its one prompt comes to review',
  async (_, jumpMs) => {
    const clock = jumpyClock();
    await using given = await scene({ clock });
    const { url } = given.coordinator;
    const { machine } = given;
    await call(url, 'workers.add', { orderId: order(), name: 'adam' });
    const { id } = await until(url, 'adam', 'idle');
    // It takes the prompt and works until it is told otherwise; whoever looks sees it working.
    let works = true;
    machine.script = (command) => {
      const answers = obedient(command);
      const isDelivery = command.order.kind === 'op' && command.order.op.kind === 'deliver';
      if (!works || !isDelivery) return works ? answers.map((body) => busy(body, id)) : answers;
      return [...answers.filter(({ kind }) => kind === 'result'), screen(id, 'processing')];
    };
    await call(url, 'workers.start', { orderId: order(), prompt: 'make it so' });
    await until(url, 'adam', 'working');
    machine.observe(screen(id, 'processing'));

    clock.jump(jumpMs);
    machine.observe(screen(id, 'processing'));
    await call(url, 'workers.message', { orderId: order(), name: 'adam', text: 'go on' });
    works = false;
    machine.observe(screen(id, 'ready'));
    await until(url, 'adam', 'needs_review');

    const ops = machine.commands.flatMap(({ order: one }) => (one.kind === 'op' ? [one.op] : []));
    const prompts = ops.filter((op) => op.kind === 'deliver' && op.text.includes('make it so'));
    expect(prompts).toHaveLength(1);
    expect(ops.filter(({ kind }) => kind === 'open' || kind === 'respawn')).toHaveLength(1);
    await call(url, 'workers.accept', { orderId: order() });
    await until(url, 'adam', 'idle');
  },
);

/** What a look at a working agent sees. */
function busy(body: ReturnType<typeof obedient>[number], workerId: string): typeof body {
  if (body.kind !== 'result' || body.result.kind !== 'looked') return body;
  const seen = screen(workerId, 'processing');
  return seen.kind === 'screen' ? { ...body, result: { ...body.result, screen: seen.look } } : body;
}
