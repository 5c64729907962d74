/** Lists the profiles that come with Drover. */
import { invariant } from '@drover/core';
import { parseProfile } from '../profile/load.ts';
import type { Profile, ProfileDocument } from '../profile/schema.ts';
import { CLAUDE } from './claude.ts';
import { CODEX } from './codex.ts';
import { COPILOT } from './copilot.ts';
import { GEMINI } from './gemini.ts';
import { GENERIC } from './generic.ts';
import { OPENCODE } from './opencode.ts';
import { PI } from './pi.ts';
import { QWEN } from './qwen.ts';
import { SIM } from './sim.ts';

/** The documents as they are shipped; each can be replaced by one of the same id from a file or the coordinator. */
export const BUILT_IN_DOCUMENTS: readonly ProfileDocument[] = [
  CLAUDE,
  CODEX,
  OPENCODE,
  GEMINI,
  COPILOT,
  QWEN,
  PI,
  SIM,
  GENERIC,
];

/** The shipped profiles, loaded, by id. */
export const BUILT_IN_PROFILES: ReadonlyMap<string, Profile> = new Map(
  BUILT_IN_DOCUMENTS.map((document) => [document.id, loaded(document)]),
);

/**
 * Finds the profile of a program.
 *
 * @param name A profile id, or one with a suffix for a variant: `claude-classic` is read with `claude`.
 * @returns null when none fits.
 */
export function profileNamed(name: string, profiles: ReadonlyMap<string, Profile> = BUILT_IN_PROFILES): Profile | null {
  for (let id = name; id !== ''; id = id.slice(0, Math.max(id.lastIndexOf('-'), 0))) {
    const profile = profiles.get(id);
    if (profile !== undefined) return profile;
  }
  return null;
}

function loaded(document: ProfileDocument): Profile {
  const result = parseProfile(document);
  invariant(result.kind === 'ok', `The built-in profile "${document.id}" is invalid: ${JSON.stringify(result)}`);
  return result.profile;
}
