/** Parses a profile document and compiles its patterns. */
import { PROFILE_FORMAT, profileSchema } from './schema.ts';
import type { Profile } from './schema.ts';

/** Problem of a document: where it is, and what was expected. */
interface ProfileProblem {
  /** Path of the field, such as `screen.busy.0.matches`; empty for the whole document. */
  readonly path: string;
  readonly message: string;
}

/** A profile that can be used, or everything that is wrong with the document. */
export type LoadedProfile =
  | { readonly kind: 'ok'; readonly profile: Profile }
  | { readonly kind: 'invalid'; readonly problems: readonly ProfileProblem[] };

/**
 * Checks a profile document.
 *
 * @param json The parsed JSON (or an equal object).
 * @returns `invalid` with every problem found; it never throws.
 */
export function parseProfile(json: unknown): LoadedProfile {
  const format = formatOf(json);
  if (format !== PROFILE_FORMAT) {
    return invalid(
      'format',
      `must be ${PROFILE_FORMAT}, the format this version of Drover reads, but is ${JSON.stringify(format) ?? 'missing'}`,
    );
  }
  const parsed = profileSchema.safeParse(json);
  if (!parsed.success) {
    return {
      kind: 'invalid',
      problems: parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })),
    };
  }
  const twice = repeated(ruleIds(parsed.data));
  if (twice !== null) return invalid('screen', `rule id "${twice}" is used twice: give every rule its own`);
  return { kind: 'ok', profile: parsed.data };
}

function invalid(path: string, message: string): LoadedProfile {
  return { kind: 'invalid', problems: [{ path, message }] };
}

function formatOf(json: unknown): unknown {
  return typeof json === 'object' && json !== null && 'format' in json ? json.format : undefined;
}

function ruleIds(profile: Profile): string[] {
  const { asking, panels, busy, starting, retrying, failed, queued, interrupted } = profile.screen;
  return [asking, panels, busy, starting, retrying, failed, queued, interrupted].flat().map((sign) => sign.id);
}

function repeated(ids: readonly string[]): string | null {
  return ids.find((id, index) => ids.indexOf(id) !== index) ?? null;
}
