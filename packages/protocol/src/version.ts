/** Defines the versions of the agent protocol that this build speaks. */

/** `major.minor` of the messages between machine agent and coordinator. A minor adds optional fields only. */
export const PROTOCOL_VERSION = '3.0';

/** The oldest version that a coordinator of this build serves. */
export const PROTOCOL_VERSION_MIN = '3.0';

/** News of a minor, for people. */
export interface Minor {
  readonly minor: number;
  readonly what: string;
}

/** News of each minor since the first release: an agent of a lower one works on without them. */
const BROUGHT: readonly Minor[] = [];

/** Lists what an agent of this version may lack of what this build knows; none for one that is as new or newer. */
export function lackedBy(version: string, brought: readonly Minor[] = BROUGHT): readonly string[] {
  const [, minor] = parts(version);
  return brought.filter((one) => !(minor >= one.minor)).map(({ what }) => what);
}

/** Tells whether an agent of this version is older than `min`, the oldest that is served. */
export function isTooOld(version: string, min: string = PROTOCOL_VERSION_MIN): boolean {
  const [major, minor] = parts(version);
  const [minMajor, minMinor] = parts(min);
  return !(major > minMajor || (major === minMajor && minor >= minMinor));
}

/** Instructions that bring the agent of a machine to the coordinator's version. */
export const UPGRADE_AGENT =
  'on that machine "drover machine upgrade ./drover-VERSION-PLATFORM.tgz" with the file of the coordinator\'s version; where drover does not know that command, "npm install --global" with that file, then "drover machine service install", or start "drover server agent" again';

/** Instructions that bring a gateway to the coordinator's version. */
export const UPGRADE_GATEWAY =
  'where it runs "npm install --global ./drover-VERSION-PLATFORM.tgz" with the file of the coordinator\'s version, then start "drover server gateway" again';

/** Tells whether a peer's version is served: same major, and not older than the minimum. */
export function speaks(version: string): boolean {
  const [major, minor] = parts(version);
  const [minMajor, minMinor] = parts(PROTOCOL_VERSION_MIN);
  return major === minMajor && minor >= minMinor;
}

/** A version that is none is not a number, which is as new as no other. */
function parts(version: string): [number, number] {
  const [, major, minor] = /^(\d{1,6})\.(\d{1,6})$/u.exec(version) ?? [];
  return [Number(major ?? Number.NaN), Number(minor ?? Number.NaN)];
}
