/** `drover hook` with options or at a terminal: prints its purpose. Calls by programs are answered in main.ts. */
import { defineCommand } from '../../program/define.ts';

const PURPOSE = `"drover hook" is called by coding agents, not by people: it reads one hook event as JSON on stdin, says what kind of
failure it tells of and what to do about it, and always ends with status 0.`;

export const command = defineCommand({
  about: 'called by coding agents: classify the failure of a tool and say what to do',
  example: 'drover hook < event.json',
  run({ terminal }) {
    terminal.err(PURPOSE);
    return Promise.resolve();
  },
});
