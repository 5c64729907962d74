/** `drover queue drop`: withdraws an item, so that no worker takes it. */
import { defineItemCommand } from './item.ts';

export const command = defineItemCommand(
  { about: 'drop an item that no worker has taken', example: 'drover queue drop 4f1e22ab' },
  (client, item) => client.queue.drop.mutate(item),
);
