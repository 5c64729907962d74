// Simulates a person who looks after the machines: says what they are for, closes one for a while, and has its workers leave it. Draws from
// a chance of its own.
import { SeededRandom, VirtualIds } from '@drover/testkit';
import { askOnce, PERSON, untilAway, type PeopleParts } from './people.ts';
import type { Terms } from './terms.ts';

export interface OwnerParts extends PeopleParts {
  readonly terms: Terms;
}

/** A person who wants a machine to get work again does not give up while replicas are down. */
const REOPEN_TRIES = 600;
/** Milliseconds between two acts, at most. */
const PACE_MS = 9_000;

/** Acts of the owner, by how often they come. */
const ACTS = { label: 4, cordon: 2, drain: 2, 'drain-soon': 2 } as const;

const CLOSED = {
  cordon: 'note: a machine is cordoned',
  drain: 'note: a machine is drained',
  'drain-soon': 'note: a machine is drained by a deadline',
} as const;

/** Looks after machines until people go away. No worker leaves a machine that gets no work. */
export async function ownMachines(parts: OwnerParts): Promise<void> {
  const { seed, time, terms, database, tally } = parts;
  const random = new SeededRandom(seed * 32_452_843 + 13);
  const ids = new VirtualIds(time.now, 0xfee);
  if (!terms.isPlain) for (const name of names()) void label(name);
  await untilAway(
    parts,
    () => random.int(500, PACE_MS),
    () => void act(),
  );
  for (const { name } of database.machines.values()) await reopen(name);

  function names(): readonly string[] {
    return [...database.machines.values()].flatMap(({ name, isGateway }) => (isGateway ? [] : [name]));
  }

  function act(): Promise<void> | undefined {
    const all = names();
    if (all.length === 0) return undefined;
    const name = random.pick(all);
    const kind = random.weighted(ACTS);
    if (kind === 'label') return terms.isPlain ? undefined : label(name);
    // A machine alone is closed for a moment at most.
    return all.length === 1 && kind !== 'cordon' ? undefined : close(name, kind);
  }

  async function label(name: string): Promise<void> {
    const { labels, capacity } = terms.draw();
    const said = `labels ${name} ${labels.join(',')} capacity ${capacity}`;
    const told = await askOnce(parts, { random, what: `OWNER ${said}` }, (fleet) =>
      fleet.labelMachine({ name, labels, capacity }, PERSON),
    );
    if (told !== null) tally.fault('note: a machine is labelled', said);
  }

  /** Closes a machine to new work for a while, and perhaps moves its workers away. */
  async function close(name: string, kind: keyof typeof CLOSED): Promise<void> {
    const requestId = ids.uuid();
    const deadlineMs = kind === 'drain' ? null : random.pick([2_000, 5_000, 20_000]);
    const told = await askOnce(parts, { random, what: `OWNER ${kind} ${name}` }, (fleet) =>
      kind === 'cordon'
        ? fleet.cordonMachine({ name }, PERSON)
        : fleet.drainMachine({ requestId, name, deadlineMs }, PERSON),
    );
    if (told !== null) tally.fault(CLOSED[kind], name);
    await time.sleep(random.int(2_000, 40_000));
    await reopen(name);
  }

  async function reopen(name: string): Promise<void> {
    const open = (): Promise<string | null> =>
      askOnce(parts, { random, what: `OWNER opens ${name}` }, (fleet) => fleet.uncordonMachine({ name }, PERSON));
    for (let tries = 0; tries < REOPEN_TRIES && (await open()) === null; tries += 1) await time.sleep(1_000);
  }
}
