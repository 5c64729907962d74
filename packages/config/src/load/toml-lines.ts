// Finds the line of a TOML file on which a key stands. The parser does not say, and an error message should.

const KEY = String.raw`(?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)`;
const DOTTED = String.raw`${KEY}(?:\s*\.\s*${KEY})*`;
const EACH_KEY = /"(?:[^"\\]|\\.)*"?|'[^']*'?|[A-Za-z0-9_-]+/gu;
const HEADER = new RegExp(String.raw`^\s*\[\[?\s*(${DOTTED})\s*\]\]?\s*(?:#.*)?$`, 'u');
const ASSIGNMENT = new RegExp(String.raw`^\s*(${DOTTED})\s*=(.*)$`, 'u');

/**
 * Maps each key path (parts joined by NUL, which no key holds) to its line, counted from 1.
 * Only for text that a TOML parser has accepted.
 */
export function tomlLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let table: string[] = [];
  let open: Open = { quotes: null, brackets: 0 };
  for (const [index, line] of text.split('\n').entries()) {
    if (open.quotes !== null || open.brackets > 0) {
      open = after(line, open);
      continue;
    }
    const header = HEADER.exec(line);
    if (header?.[1] !== undefined) {
      table = keyParts(header[1]);
      remember(lines, table, index + 1);
      continue;
    }
    const assignment = ASSIGNMENT.exec(line);
    if (assignment?.[1] === undefined) continue;
    remember(lines, [...table, ...keyParts(assignment[1])], index + 1);
    open = after(assignment[2] ?? '', open);
  }
  return lines;
}

/** The line of a key, or of the nearest table around it; undefined when the file does not speak of it. */
export function lineOf(lines: ReadonlyMap<string, number>, path: readonly string[]): number | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const line = lines.get(path.slice(0, length).join('\0'));
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Brackets and quotes still open at a line's end: a multi-line string by its quotes, or lists and tables by their number. */
type Open = { readonly quotes: '"""' | "'''" | null; readonly brackets: number };

function remember(lines: Map<string, number>, path: readonly string[], line: number): void {
  const key = path.join('\0');
  if (!lines.has(key)) lines.set(key, line);
}

function keyParts(dotted: string): string[] {
  return [...dotted.matchAll(EACH_KEY)].map(([part]) => part.replaceAll(/^["']|["']$/gu, ''));
}

const TOKENS = /"""|'''|"(?:[^"\\]|\\.)*"?|'[^']*'?|#.*|[[\]{}]/gu;

function after(line: string, { quotes, brackets }: Open): Open {
  if (quotes !== null) {
    const end = line.indexOf(quotes);
    return end < 0 ? { quotes, brackets } : after(line.slice(end + quotes.length), { quotes: null, brackets });
  }
  let depth = brackets;
  for (const { 0: token, index } of line.matchAll(TOKENS)) {
    if (token === '"""' || token === "'''") {
      return after(line.slice(index + token.length), { quotes: token, brackets: depth });
    }
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
  }
  return { quotes: null, brackets: depth };
}
