/** Reads the token that a request shows. */
import { sha256 } from './sha256.ts';

/** Hashes the token of an `Authorization: Bearer` header as it is stored. The word may have any case (RFC 9110, 11.1). */
export function bearerSha256(header: string | undefined): string | null {
  const [, token] = /^bearer +([\w-]{20,200})$/i.exec(header ?? '') ?? [];
  return token === undefined ? null : sha256(token);
}
