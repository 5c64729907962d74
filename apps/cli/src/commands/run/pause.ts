/** `drover run pause`. */
import { defineRunCommand } from './one.ts';

export const command = defineRunCommand(
  { about: 'pause a run: nothing new begins', example: 'drover run pause 1a2b3c4d' },
  (client, { id, requestId }) => client.runs.act.mutate({ id, requestId, act: 'pause' }),
);
