/**
 * Takes out of a text what no database column can hold: a zero byte, and half of a character. Either of them in a diff, or in the version that a
 * program tells of itself, would have the database refuse all that this machine says from then on. So a machine keeps none of them, and a
 * coordinator, which cannot know who wrote the agent, takes none.
 */

/** JSON in which a zero byte is its mark, `⟨U+0000⟩`, as people are shown it, and half a character is U+FFFD. */
export function storableJson(json: string): string {
  if (!SUSPECT.test(json)) return json;
  // Each escape is taken whole, so that a backslash before "u0000" that is itself escaped is none.
  // Two halves that belong together are a character, which some programs write so.
  return json.replaceAll(
    /\\(u0000|ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|ud[89a-f][0-9a-f]{2}|[^])/gi,
    (escape, what: string) => {
      if (what.length === 1 || what.length > 5) return escape;
      return what === 'u0000' ? '⟨U+0000⟩' : '\ufffd';
    },
  );
}

const SUSPECT = /\\u(?:0000|d[89a-f])/i;
