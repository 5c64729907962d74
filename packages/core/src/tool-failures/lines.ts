/** Separates the lines of a tool's output that speak about the failure from those that only quote code, frames or successes. */

/** Characters of an output that are read, from its head and its tail. The cause stands at one of the ends. */
const HEAD_CHARS_MAX = 16_000;
const TAIL_CHARS_MAX = 48_000;
/** Characters beyond which a line is minified code or data. */
const LINE_CHARS_MAX = 1_000;

/** Lines of an output, sorted by their value for classification. */
export interface SortedLines {
  /** Ordinary lines: every class may be read from them. */
  readonly plain: readonly string[];
  /** Lines of compilers about a place in the code. Compiler lines name identifiers, so only `syntax` is read from them. */
  readonly diagnostics: readonly string[];
  /** Warnings and mere consequences: used only if nothing else states the failure. */
  readonly weak: readonly string[];
}

/** Compiler diagnostics: TypeScript, rustc, gcc and clang, javac, go, swift, kotlin. */
const DIAGNOSTIC =
  /\berror TS\d{3,5}:|^\s*error\[E\d{4}\]|^\S[^:]*\.\w+:\d+(?::\d+)?:? (?:fatal )?error: |^\S[^:]*\.go:\d+:\d+: |^e: \S+\.kt/;
/** Place of rustc, under a header. Only the place under an error counts, not the one under a warning. */
const RUST_PLACE = /^\s*--> \S+:\d+:\d+\s*$/;
const RUST_ERROR = /^error(?:\[E\d{4}\])?: /;
const RUST_WARNING = /^(?:warning|note|help)(?:\[\w+\])?: /;

/** Endings of files whose lines are quoted as `file:12: …`; without the list, `example.com:443: …` would be one. */
const SOURCE_FILES =
  '[cm]?[jt]sx?|py|rs|go|rb|java|kts?|[ch](?:c|pp|xx)?|hpp|cs|php|swift|scala|sh|md|json|ya?ml|toml|sql|s?css|html|vue|svelte|txt|log|lock';

/** Quoted code, frames of a stack, hits of a search, passed tests: they mention errors without being any. */
const QUOTED = [
  /^\s*(?:>\s*)?\d+\s*[|│]/,
  /^\s*[|│]/,
  /^\s*[\^~]+\s*$/,
  /^\s+at (?:async )?\S/,
  /^\s*File ".*", line \d+/,
  new RegExp(
    String.raw`^[^\s:]+\.(?:${SOURCE_FILES})(?::\d+:(?:\d+:)?(?!\s*(?:fatal |parse |syntax )?error\b)|-\d+-)`,
    'i',
  ),
  /^\s*(?:✓|✔|√|PASS\b|ok \d+\b|--- PASS|test .* \.\.\. ok$)/,
  /^[+-](?!\w*sh: )(?:[^-+\s]|\s{2,})/,
] as const;

/** Warnings, and lines that always follow from an earlier one. */
const WEAK = [
  /^\s*(?:npm warn|npm WARN|yarn warn\w*|WARN(?:ING)?\b|warning:|\[warn\w*\]|DeprecationWarning)/i,
  /the remote end hung up unexpectedly|early EOF|unexpected disconnect while reading sideband packet/,
] as const;

/** Sorts an output. Colors and other control sequences are removed first. */
export function sortLines(text: string): SortedLines {
  const sorted = { plain: new Array<string>(), diagnostics: new Array<string>(), weak: new Array<string>() };
  let underRustError = false;
  let afterPythonFrame = false;
  for (const line of linesOf(text)) {
    if (RUST_ERROR.test(line)) underRustError = true;
    else if (RUST_WARNING.test(line)) underRustError = false;
    const isPythonSource = afterPythonFrame && /^\s{4}/.test(line);
    afterPythonFrame = /^\s*File ".*", line \d+/.test(line);
    if (DIAGNOSTIC.test(line) || (underRustError && RUST_PLACE.test(line))) sorted.diagnostics.push(line);
    else if (isPythonSource || QUOTED.some((pattern) => pattern.test(line))) continue;
    else if (WEAK.some((pattern) => pattern.test(line))) sorted.weak.push(line);
    else sorted.plain.push(line);
  }
  return sorted;
}

/** Returns the lines of an output without control sequences, each cut to a readable length; blank ones are left out. */
export function linesOf(text: string): readonly string[] {
  const most = HEAD_CHARS_MAX + TAIL_CHARS_MAX;
  const read = text.length <= most ? text : `${text.slice(0, HEAD_CHARS_MAX)}\n${text.slice(-TAIL_CHARS_MAX)}`;
  return read
    .split(/\r?\n|\r/)
    .map((line) => withoutControls(line.slice(0, LINE_CHARS_MAX)).trimEnd())
    .filter((line) => line.trim() !== '');
}

/**
 * Makes a line fit to be shown and stored: no control characters, one blank at a time, at most 200 characters, and without plain secrets
 * (credentials in a URL, a bearer token, `password=…`).
 */
export function quotable(line: string): string {
  const words = withoutSecrets(withoutControls(line).replace(/\s+/g, ' ').trim());
  return words.length <= 200 ? words : `${words.slice(0, 199)}…`;
}

function withoutSecrets(line: string): string {
  return line
    .replace(/:\/\/[^\s/@]+@/g, '://…@')
    .replace(/\b(bearer|basic) [\w.~+/=-]{8,}/gi, '$1 …')
    .replace(
      /\b((?:\w*(?:password|passwd|secret|token|api_?key))["']?\s?[=:]\s?["']?)(?!["'\s])[^\s"',;&]{4,}/gi,
      '$1…',
    );
}

function withoutControls(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex -- these are what is to be removed
      .replace(/\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g, '')
      // eslint-disable-next-line no-control-regex -- these are what is to be removed
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
  );
}
