/** Formats receipts of messages that an agent sent. */
import type { MessageReceipt } from '@drover/api';
import { plain } from '../../terminal/style.ts';

export function receiptText({ receipt, to, why }: MessageReceipt): string {
  return why === null ? `${receipt}: for ${plain(to)}` : `${receipt}: ${plain(why)}`;
}
