// Runs a process full of machines, for a parent that says how many, and asks how they are.
import { Agent } from 'node:http';
import { readFileSync } from 'node:fs';
import { percentile } from '../src/table.ts';
import { Machine } from './machine.ts';
import type { Load } from './machine.ts';
import type { LoadMachine } from './scene.ts';

/** Questions of the parent. */
export type Ask =
  | {
      readonly kind: 'start';
      readonly file: string;
      readonly url: string;
      readonly withinMs: number;
      readonly progressMs: number;
    }
  | { readonly kind: 'active'; readonly isActive: boolean }
  | { readonly kind: 'read' };

/** State of the machines, and what they did since the last reading. Times in milliseconds. */
export interface Told {
  readonly connected: number;
  /** Connections that ended. */
  readonly lost: number;
  /** Hellos that were answered with the moment of their turn. */
  readonly toldToWait: number;
  readonly acknowledged: number;
  readonly syncs: number;
  readonly observations: number;
  readonly commands: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
  readonly trouble: readonly string[];
}

const latencies: number[] = [];
const trouble: string[] = [];
const counts = { connected: 0, lost: 0, toldToWait: 0, acknowledged: 0, syncs: 0, observations: 0, commands: 0 };
let load: Load | null = null;

process.on('message', (ask: Ask) => {
  switch (ask.kind) {
    case 'start': {
      const { url, progressMs, withinMs } = ask;
      const agent = new Agent({ keepAlive: true, maxSockets: 64 });
      load = { url, progressMs, agent, latencies, trouble, counts, isActive: false };
      const all = JSON.parse(readFileSync(ask.file, 'utf8')) as LoadMachine[];
      for (const given of all) new Machine(load, given).start(withinMs);
      return;
    }
    case 'active':
      if (load !== null) load.isActive = ask.isActive;
      return;
    case 'read':
      process.send?.(told());
      return;
    default:
      ask satisfies never;
  }
});
process.on('disconnect', () => process.exit());

function told(): Told {
  const { connected, lost, toldToWait, acknowledged, syncs, observations, commands } = counts;
  const all = latencies.splice(0);
  const answer: Told = {
    connected,
    lost,
    toldToWait,
    acknowledged,
    syncs,
    observations,
    commands,
    p50: percentile(all, 0.5),
    p99: percentile(all, 0.99),
    most: Math.max(0, ...all),
    trouble: [...new Set(trouble.splice(0))].slice(0, 5),
  };
  [counts.lost, counts.toldToWait, counts.acknowledged] = [0, 0, 0];
  [counts.syncs, counts.observations, counts.commands] = [0, 0, 0];
  return answer;
}
