/** Finds the error of the system in the words of a tool. Tools run in the C locale, so that the words are these. */

/** Words of C libraries and of tools for the names of errors. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/No such file or directory/u, 'ENOENT'],
  [/cannot overwrite directory|Is a directory|omitting directory|is a directory/u, 'EISDIR'],
  [/Not a directory/u, 'ENOTDIR'],
  [/Permission denied/u, 'EACCES'],
  [/File exists/u, 'EEXIST'],
  [/No space left on device/u, 'ENOSPC'],
  [/Disk quota exceeded/u, 'EDQUOT'],
  [/Read-only file system/u, 'EROFS'],
  [/Operation not permitted/u, 'EPERM'],
  [/Directory not empty/u, 'ENOTEMPTY'],
  [/Too many levels of symbolic links/u, 'ELOOP'],
  [/File name too long/u, 'ENAMETOOLONG'],
  [/busy/u, 'EBUSY'],
  [/Input\/output error/u, 'EIO'],
];

/** Characters of a reason: a machine may send millions. */
const WORDS_LENGTH_MAX = 2_000;

/** An operation on a file that the machine's system refused. */
export class SystemError extends Error {
  override readonly name = 'SystemError';
  /** The system's name of the reason, such as `ENOENT`; `EUNKNOWN` where the words are not known. */
  readonly code: string;

  /** @param words What the tool wrote to its standard error. */
  constructor(operation: string, path: string, words: string) {
    const shown = words.slice(0, WORDS_LENGTH_MAX).trim();
    super(`Cannot ${operation} "${path}" on the machine: ${shown || 'the tool gave no reason'}`);
    this.code = WORDS.find(([pattern]) => pattern.test(shown))?.[1] ?? 'EUNKNOWN';
  }

  /** Tells whether there is nothing at the path. */
  get isAbsence(): boolean {
    return this.code === 'ENOENT' || this.code === 'ENOTDIR';
  }
}
