/** The token that a request shows. */
import { sha256 } from '../agent/enrol.ts';

/** The token of an `Authorization: Bearer` header, as it is stored. */
export function bearerSha256(header: string | undefined): string | null {
  const [, token] = /^Bearer ([A-Za-z0-9_-]{20,200})$/.exec(header ?? '') ?? [];
  return token === undefined ? null : sha256(token);
}
