/** `drover run resume`. */
import { defineRunCommand } from './one.ts';

export const command = defineRunCommand(
  { about: 'continue a paused run', example: 'drover run resume 1a2b3c4d' },
  (client, { id, requestId }) => client.runs.act.mutate({ id, requestId, act: 'resume' }),
);
