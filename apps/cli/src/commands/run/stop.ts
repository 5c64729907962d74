/** `drover run stop`. */
import { defineRunCommand } from './one.ts';

export const command = defineRunCommand(
  { about: 'stop a run: its workers hand back what they have', example: 'drover run stop 1a2b3c4d' },
  (client, { id, requestId }) => client.runs.act.mutate({ id, requestId, act: 'stop' }),
);
