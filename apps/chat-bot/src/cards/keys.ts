/** Keys of presses: made from the service's id of a press, so that a repeated press is recognized. X3. */
import { createHash } from 'node:crypto';

/** Makes a uuid (version 8, custom) of a text. */
export function keyOf(text: string): string {
  const hex = createHash('sha256').update(`drover ${text}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
