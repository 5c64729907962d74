/**
 * Where the checks of accepted work run: on the first machine of `repo.validate_on` that is connected, else where the first work is. A run
 * counts for the machine on which it ran, because another one may lack what the checks need.
 */

/** A machine on which the checks of a merge run. */
export interface CheckPlace {
  readonly machine: string;
  /** The machine of the worker that merges. */
  readonly here: string;
  /** For people: completes "its checks run on …: ". */
  readonly why: string;
}

/** Whether they run on another machine than that of the work. */
export function isAway(place: CheckPlace | null | undefined): place is CheckPlace {
  return place != null && place.machine !== place.here;
}

/** The name under which runs of these checks count. Empty: the project has none. */
export function checksAt(checks: string, place: CheckPlace | null | undefined): string {
  return checks === '' || place == null ? checks : `${checks} on ${place.machine}`;
}

/** The place where they ran, where the machine did not do as it was told; `why` is for people. */
export function stayHere(place: CheckPlace, why: string): CheckPlace {
  return { ...place, machine: place.here, why };
}

/** Which machine it is. `named` are those of the project in order, each with whether it is connected. */
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
    return { machine: here, here, why: `the machine of the first work, as none of validate_on is connected${lacking}` };
  return { machine: found.name, here, why: `the first of validate_on that is connected${lacking}` };
}
