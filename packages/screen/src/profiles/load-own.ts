/** Loads a profile document of a user: one whose patterns take time that grows faster than a screen is refused. */
import { slowTextFor } from '../growth/growth.ts';
import { completeDocument } from '../profile/complete.ts';
import { parseProfile, type LoadedProfile } from '../profile/load.ts';
import { BUILT_IN_DOCUMENTS, BUILT_IN_PROFILES } from './index.ts';

/** Patterns of a profile, and characters of one: their check takes time. */
const PATTERNS_MAX = 200;
const PATTERN_CHARS_MAX = 500;

/** A pattern and the path of its field, such as `screen.busy.0.matches`. */
interface PatternAt {
  readonly path: string;
  readonly pattern: RegExp;
}

/** Patterns of the build. A test of this repository checks them, and most documents are copies of them. */
const CHECKED: ReadonlySet<string> = new Set(
  [...BUILT_IN_PROFILES.values()].flatMap(patternsIn).map(({ pattern }) => pattern.source),
);

/**
 * Checks a profile document: a whole one, or a short one that is `like` a built-in.
 *
 * @param json The parsed JSON or TOML (or an equal object).
 * @returns `invalid` with every problem found; it never throws.
 */
export function loadProfile(json: unknown): LoadedProfile {
  const completed = completeDocument(json, BUILT_IN_DOCUMENTS);
  if (completed.kind === 'invalid') return completed;
  const loaded = parseProfile(completed.document);
  if (loaded.kind === 'invalid') return loaded;
  const own = patternsIn(loaded.profile).filter(({ pattern }) => !CHECKED.has(pattern.source));
  if (own.length > PATTERNS_MAX) {
    const message = `has ${own.length} patterns beside those of the build: ${PATTERNS_MAX} are allowed`;
    return { kind: 'invalid', problems: [{ path: 'screen', message }] };
  }
  const problems = own.flatMap((one) => {
    const message = problemOf(one.pattern);
    return message === null ? [] : [{ path: one.path, message }];
  });
  return problems.length === 0 ? loaded : { kind: 'invalid', problems };
}

function problemOf(pattern: RegExp): string | null {
  const { source } = pattern;
  if (source.length > PATTERN_CHARS_MAX) {
    return `is a pattern of ${source.length} characters: at most ${PATTERN_CHARS_MAX} are allowed`;
  }
  const slow = slowTextFor(pattern);
  if (slow === null) return null;
  return `the pattern ${JSON.stringify(source)} takes time that grows faster than the text, such as ${JSON.stringify(slow.text)} repeated: begin it with "^" or (?<!…), bound its loops as in {0,200}, or let neighbouring loops match different characters`;
}

/** Every compiled pattern in a part of a profile. */
function patternsIn(part: unknown): readonly PatternAt[] {
  if (part instanceof RegExp) return [{ path: '', pattern: part }];
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    patternsIn(value).map(({ path, pattern }) => ({ path: path === '' ? key : `${key}.${path}`, pattern })),
  );
}
