/** Chooses the machine that runs the checks of accepted work. */

/**
 * Machine on which the checks run: the first of `repo.validate_on` that is connected, else that of the first work. A run
 * counts for the machine on which it ran, because another machine may lack what the checks need.
 */
export interface CheckPlace {
  readonly machine: string;
  /** The machine of the worker that merges. */
  readonly here: string;
  /** Reason for people: completes "its checks run on …: ". */
  readonly why: string;
}

/** Tells whether checks run on another machine than that of the work. */
export function isAway(place: CheckPlace | null): place is CheckPlace {
  return place !== null && place.machine !== place.here;
}

/** Returns the name under which runs of these checks count. Empty: the project has none. */
export function checksAt(checks: string, place: CheckPlace | null): string {
  return checks === '' || place === null ? checks : `${checks} on ${place.machine}`;
}

/** Returns the place where the checks ran, if the machine kept them; `why` is for people. */
export function stayHere(place: CheckPlace, why: string): CheckPlace {
  return { ...place, machine: place.here, why };
}

/** Picks the machine. `named` are those of the project in order, each with its connection. */
export function chooseCheckPlace(
  here: string,
  named: readonly { readonly name: string; readonly isConnected: boolean }[],
): CheckPlace {
  if (named.length === 0) return { machine: here, here, why: 'the machine of the first work' };
  const first = named.findIndex(({ isConnected }) => isConnected);
  const silent = named.slice(0, first === -1 ? named.length : first).map(({ name }) => `"${name}"`);
  const lacking = silent.length === 0 ? '' : ` (not connected: ${silent.join(', ')})`;
  const found = named[first];
  if (found === undefined)
    return {
      machine: here,
      here,
      why: `the machine of the first work, because no machine of validate_on is connected${lacking}`,
    };
  return { machine: found.name, here, why: `the first connected machine of validate_on${lacking}` };
}

/** Returns the place of the runs. If a machine ran the checks itself, despite its command, the runs count for that machine. */
export function whereRan(place: CheckPlace | null, machine: string | undefined): CheckPlace | null {
  return !isAway(place) || machine === place.machine ? place : stayHere(place, 'its machine ran them itself');
}
