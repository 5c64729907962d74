/** `drover queue show`: prints one item with its text. */
import { defineItemCommand } from './item.ts';

export const command = defineItemCommand(
  { about: 'show an item with its text', example: 'drover queue show 4f1e22ab' },
  (client, item) => client.queue.show.query(item),
);
