/** `drover queue drop`: no worker takes the item any more. */
import { defineItemCommand } from './item.ts';

/** `drover queue drop`. */
export const command = defineItemCommand(
  { about: 'drop an item that no worker has taken', example: 'drover queue drop 4f1e22ab' },
  (client, item) => client.queue.drop.mutate(item),
);
