/** `drover queue retry`: an item is open again, with a fresh count of failures. */
import { defineItemCommand } from './item.ts';

/** `drover queue retry`. */
export const command = defineItemCommand(
  {
    about: 'open an item again that failed, was dropped or is done',
    example: 'drover queue retry 4f1e22ab',
  },
  (client, item) => client.queue.retry.mutate(item),
);
