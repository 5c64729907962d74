/** Names and paths of a `.gitmodules` that lead nowhere but into the place. Pure. */

/** Characters of a name, or of a path. */
const CHARS_MAX = 255;

/** Tells whether a name can be a directory below `modules` that lies in no other submodule's. */
export function safeName(name: string, all: readonly string[]): boolean {
  return isRelative(name) && !all.some((other) => name.startsWith(`${other}/`));
}

/** Tells whether a path leads below the top, and not into a git directory. */
export function safePath(path: string): boolean {
  // Git has names that some file systems take for ".git".
  return isRelative(path) && !path.split('/').some((part) => /^(?:\.git|git~\d+)[ .]*$/iu.test(part));
}

function isRelative(text: string): boolean {
  // oxlint-disable-next-line eslint/no-control-regex
  if (text.length > CHARS_MAX || /^-|[\u0000-\u001f\u007f\\:]/u.test(text)) return false;
  return text.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
