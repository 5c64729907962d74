// Finds, in a program's own files, the titles of its dialogs: what asks a person, at its start or later. Pure.

/** A text in code: quoted, or of parts, of which those in `${}` come at run time. */
const TEXT = '(?:"[^"\\\\]{4,110}"|`[^`\\\\]{4,160}`)';
/** Title of a dialog component in a bundle of JavaScript, one or one of two, with the property that only dialogs have behind it. */
const COMPONENT = new RegExp(
  `title:(?:[^,"\`{}?;]{1,60}\\?)?(${TEXT})(?::(${TEXT}))?,(?:subtitle:[^,]{1,60},)?(?:color:"(?:warning|error|permission|professionalBlue)"|onCancel:)`,
  'gu',
);
/** A part that comes at run time. */
const PART = /\$\{[^}]{1,100}\}/gu;
/** Questions that programs in other languages, or without such components, ask a person. */
const QUESTION =
  /(?<![A-Za-z])(?:Do you (?:want|trust)|Would you like|Trust (?:this|project)|Enable full|Allow external CLAUDE|New MCP server found in|Accessing workspace:|new MCP servers found in this project|Hooks need review|Update available!|Allow Google)(?:[^"`<>{}|;=\\\p{Cc}\uFFFD?]{0,100}\?)?/gu;

/** Returns the titles in a part of a program, each once: of components that ask, with `…` for what comes at run time, and of questions. */
export function dialogTitlesIn(source: string): readonly string[] {
  const titles = [...source.matchAll(COMPONENT)]
    .flatMap(([, one = '', other = '']) => [one, other])
    .map((text) => text.slice(1, -1).replaceAll(PART, '…'))
    .filter((title) => /[?:]$|\s/u.test(title) && !/[{}]|^…$/u.test(title));
  const questions = [...source.matchAll(QUESTION)]
    .map(([title]) => title)
    .filter((title) => /[?!:]$|review$|found in/u.test(title));
  return [...new Set([...titles, ...questions])].toSorted();
}
