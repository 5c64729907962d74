/** Tells whether a file is the pointer that Git LFS keeps in place of a large file. Source: the specification of git-lfs. */

/** Bytes of a pointer: it has fewer. */
export const LFS_POINTER_BYTES_MAX = 1_024;

const FIRST = /^version https:\/\/(?:git-lfs\.github\.com\/spec|hawser\.github\.com\/spec)\/v\d+\n/;
const OID = /^oid [a-z0-9]+:[0-9a-f]{32,128}$/;
const SHA256 = /^oid sha256:([0-9a-f]{64})$/m;
const SIZE = /^size (\d{1,15})$/m;

/** Tells whether a line names the content of a pointer: no pointer changes without it. */
export function readsAsPointerLine(line: string): boolean {
  return OID.test(line);
}

/** The content that a pointer of git-lfs means. */
export interface Pointer {
  readonly sha256: string;
  readonly bytes: number;
}

/** Null: the text is no pointer that git-lfs reads. */
export function readPointer(text: string): Pointer | null {
  const bytes = pointedSize(text);
  const [, sha256] = SHA256.exec(text) ?? [];
  return bytes === null || sha256 === undefined ? null : { sha256, bytes };
}

/** The size in bytes of the file that a pointer means; null: the text is none. */
export function pointedSize(text: string): number | null {
  const [, size] = SIZE.exec(text) ?? [];
  const isPointer = FIRST.test(text) && text.split('\n').some(readsAsPointerLine);
  return isPointer && size !== undefined ? Number(size) : null;
}
