/** Which versions of the agent protocol does this build speak? */

/** `major.minor` of the messages between machine agent and coordinator. A minor adds optional fields only. */
export const PROTOCOL_VERSION = '2.0';

/** The oldest version that a coordinator of this build serves. */
export const PROTOCOL_VERSION_MIN = '2.0';

/** Whether a peer's version is served: same major, and not older than the minimum. */
export function speaks(version: string): boolean {
  const [major, minor] = parts(version);
  const [minMajor, minMinor] = parts(PROTOCOL_VERSION_MIN);
  return major === minMajor && minor >= minMinor;
}

function parts(version: string): [number, number] {
  const [major = 'x', minor = 'x'] = version.split('.');
  return [Number(major), Number(minor)];
}
