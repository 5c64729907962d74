/** The key of a press: made from what the chat service calls it, so that a repeated one is known. X3. */
import { createHash } from 'node:crypto';

/** A uuid (version 8, of one's own making) of a text. */
export function keyOf(text: string): string {
  const hex = createHash('sha256').update(`drover ${text}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
