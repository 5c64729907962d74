// Keeps the seeds that broke a promise once. These seeds run first, every time, as long as the simulation means the same by them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { revisionOf } from '../../revision.ts';

/** A seed that once broke a promise. */
export interface KeptSeed {
  readonly seed: number;
  readonly what: string;
  /** The revision of the simulation that it was found with: under another one it is another schedule. */
  readonly model: string;
}

const FILE = path.join(import.meta.dirname, 'kept-seeds.json');
const MODEL = ['tools/sim', 'packages/testkit/src'];
/** Folders that the schedules prove: the policy, the use cases, and the agent's core. */
const PROVED = [
  'packages/core/src',
  'packages/protocol/src',
  'packages/store/src',
  'apps/coordinator/src',
  'apps/machine-agent/src',
];

/** The seeds on file. */
export function keptSeeds(): readonly KeptSeed[] {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as KeptSeed[]) : [];
}

/** Adds a seed, unless it is there already. */
export function keepSeed(kept: KeptSeed): void {
  const known = keptSeeds();
  if (known.some(({ seed, model }) => seed === kept.seed && model === kept.model)) return;
  writeFileSync(FILE, `${JSON.stringify([...known, kept], null, 2)}\n`);
}

/** A short name for the present source of the simulation's model. */
export function modelRevision(): string {
  return revisionOf(MODEL);
}

/** The same for all that a schedule runs: what one says holds only of its own source. */
export function sourceRevision(): string {
  return revisionOf([...MODEL, ...PROVED]);
}
