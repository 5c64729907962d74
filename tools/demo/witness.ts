// Reads the log that simulated agents write themselves. The log is the witness: agents write it before they go on.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import type { Place } from './place.ts';

const line = z.looseObject({ t: z.number(), pid: z.number(), event: z.string() });
const started = z.object({ event: z.literal('started'), pid: z.number(), cwd: z.string() });
const taken = z.object({ event: z.literal('taken'), pid: z.number(), prompt: z.string() });

/** A prompt that an agent took. */
export interface Taken {
  readonly worker: string;
  readonly prompt: string;
}

/** The prompts that agents took, in the order in which they took them. */
export async function promptsTaken(place: Place): Promise<readonly Taken[]> {
  const events = await read(place);
  const workers = workersOf(events);
  return events.flatMap((event) => {
    const { success, data } = taken.safeParse(event);
    return success ? [{ worker: workers.get(data.pid) ?? '?', prompt: data.prompt }] : [];
  });
}

/** The process of a worker's agent: of the last that was started. */
export async function agentProcess(place: Place, worker: string): Promise<number | undefined> {
  const found = [...workersOf(await read(place))].filter(([, name]) => name === worker);
  return found.at(-1)?.[0];
}

/** Each agent works in a worktree that is named as its worker. */
function workersOf(events: readonly unknown[]): Map<number, string> {
  const starts = events.map((event) => started.safeParse(event)).filter(({ success }) => success);
  return new Map(starts.flatMap(({ data }) => (data === undefined ? [] : [[data.pid, basename(data.cwd)]])));
}

async function read({ witness }: Place): Promise<readonly unknown[]> {
  const text = await readFile(witness, 'utf8').catch(() => '');
  // The last line may be half written.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1).trimEnd();
  return whole === '' ? [] : whole.split('\n').map((json) => line.parse(JSON.parse(json)));
}
