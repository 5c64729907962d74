/** Fills the work queue of a scene, follows its items, and reports failures of tools. */
import type { QueueItemView } from '@drover/api';
import { adviseOnToolFailure } from '@drover/core';
import { reportOf } from '@drover/core/tool-failures';
import type { ToolFailureReport } from '@drover/core/tool-failures';
import { until as poll } from '../../../../tools/fleet/wait.ts';
import { call, newId, obedient, type Scene } from './coordinator.ts';
import type { Script } from './scripted-machine.ts';
import { waitFor } from './wait-for.ts';

export async function items(url: string): Promise<readonly QueueItemView[]> {
  return (await call(url, 'queue.list', { all: true, limit: 100 })) as readonly QueueItemView[];
}

export async function addItem(url: string, priority: string, prompt: string): Promise<QueueItemView> {
  return (await call(url, 'queue.add', { requestId: newId(), priority, prompt })) as QueueItemView;
}

export async function untilItem(
  url: string,
  title: string,
  is: (item: QueueItemView) => boolean,
): Promise<QueueItemView> {
  let item: QueueItemView | undefined;
  return poll(
    () => `"${title}"; it is ${JSON.stringify(item)}`,
    async () => {
      item = (await items(url)).find((one) => one.title === title);
      return item !== undefined && is(item) ? item : undefined;
    },
  );
}

/** Takes its prompt and continues to work. */
export const STAYS_AT_WORK: Script = (command) => {
  const { body: one } = command;
  const isDelivery = one.kind === 'command' && one.command.kind === 'deliver';
  return obedient(command).filter(({ kind }) => !isDelivery || kind !== 'screen');
};

/** Lists prompts that reached agents, in the order of their delivery. */
export function delivered({ machine }: Scene): readonly string[] {
  return machine.commands.flatMap(({ body: one }) =>
    one.kind === 'command' && one.command.kind === 'deliver' ? [one.command.text.split('\n').at(-1) ?? ''] : [],
  );
}

export const NO_ACCESS = "Error: EACCES: permission denied, open '/etc/hosts'";

export function report(text: string): ToolFailureReport {
  const failure = { tool: 'Bash', command: 'npm run build', text, exitCode: 1, phase: null };
  const inputs = { history: { retries: 0, sameInTask: 0 }, now: 1_000, random: 0, zone: { offsetMinutes: 0 } };
  const made = reportOf(failure, adviseOnToolFailure(failure, inputs), {
    at: 1_000,
    conversation: 'c',
    operation: 'o',
  });
  if (made === null) throw new Error('There is nothing to report');
  return made;
}

interface Asked {
  readonly id: string;
  readonly worker: string;
  readonly occurrences: number;
}

export async function untilAsked(url: string, occurrences: number): Promise<readonly Asked[]> {
  let asked: readonly Asked[] = [];
  await waitFor(async () => {
    asked = (await call(url, 'escalations.list', { all: true, limit: 100 })) as readonly Asked[];
    return asked.some((one) => one.occurrences === occurrences);
  });
  return asked;
}
