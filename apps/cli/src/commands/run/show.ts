/** `drover run show`: prints a run with its stages, questions and results. */
import { defineRunCommand } from './one.ts';

export const command = defineRunCommand(
  { about: 'show a run: stages, workers, questions, results', example: 'drover run show 1a2b3c4d' },
  (client, { id }) => client.runs.show.query({ id }),
);
