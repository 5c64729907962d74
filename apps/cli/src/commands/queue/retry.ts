/** `drover queue retry`: reopens an item, with a fresh count of failures. */
import { defineItemCommand } from './item.ts';

export const command = defineItemCommand(
  {
    about: 'open an item again that failed, was dropped or is done',
    example: 'drover queue retry 4f1e22ab',
  },
  (client, item) => client.queue.retry.mutate(item),
);
