// Keeps the seeds that broke a promise once. These seeds run first, every time, as long as the simulation means the same by them.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A seed that once broke a promise. */
export interface KeptSeed {
  readonly seed: number;
  readonly what: string;
  /** The revision of the simulation that it was found with: under another one it is another schedule. */
  readonly model: string;
}

const FILE = path.join(import.meta.dirname, 'kept-seeds.json');
const REPOSITORY = path.join(import.meta.dirname, '../../..');
const MODEL = ['tools/sim', 'packages/testkit/src'];

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

/** A short name for the present source of the simulation's model, tests aside. */
export function modelRevision(): string {
  const hash = createHash('sha256');
  for (const room of MODEL)
    for (const name of readdirSync(path.join(REPOSITORY, room), { recursive: true, encoding: 'utf8' }).toSorted())
      if (name.endsWith('.ts') && !name.includes('.test.'))
        hash.update(`${room}/${name}\0`).update(readFileSync(path.join(REPOSITORY, room, name)));
  return hash.digest('hex').slice(0, 12);
}
