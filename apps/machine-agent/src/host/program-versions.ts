/** Finds the version of a coding agent's program. */
import type { Host } from '@drover/host';
import { versionLine } from './version-line.ts';

/** Three numbers of a version, highest first. */
export type Version = readonly [number, number, number];

/** Asks programs for their version, each once: an update while this agent runs is noticed at its next start. */
export class ProgramVersions {
  readonly #host: Host;
  readonly #known = new Map<string, Promise<Version | null>>();

  constructor(host: Host) {
    this.#host = host;
  }

  /** @param argv Program and first arguments. @returns null when it does not answer within seconds; the next call asks again. */
  async of(argv: readonly string[]): Promise<Version | null> {
    const key = argv.join('\0');
    const asked = this.#known.get(key) ?? this.#ask(argv);
    this.#known.set(key, asked);
    const version = await asked;
    if (version === null) this.#known.delete(key);
    return version;
  }

  async #ask([program = '', ...args]: readonly string[]): Promise<Version | null> {
    return parseVersion((await versionLine(this.#host, program, [...args, '--version'])) ?? '');
  }
}

/** @returns the first version in a text; null when there is none. */
export function parseVersion(text: string): Version | null {
  const found = /(?<!\d)(\d+)\.(\d+)\.(\d+)/u.exec(text);
  return found === null ? null : [Number(found[1]), Number(found[2]), Number(found[3])];
}

/** Tells whether a version is at least another. */
export function isAtLeast(version: Version, least: Version): boolean {
  const [major, minor, patch] = version.map((part, at) => Math.sign(part - (least[at] ?? 0)));
  return (major || minor || patch || 0) >= 0;
}
