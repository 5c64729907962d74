/** `drover oncall test`: tries whether people can be reached, before a night is lost to it. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { showNotice } from '../../terminal/notice.ts';
import { triedText } from './text.ts';

/** `drover oncall test`: `problems` when a place failed. */
export const command = defineCommand({
  about: 'try the bell and the desktop here, and each chat and address of mail that a step names',
  example: 'drover oncall test',
  async run(surroundings) {
    const { terminal, environment } = surroundings;
    const places = await ask(surroundings, (client) => client.oncall.test.mutate());
    if (terminal.interactive) {
      terminal.bell();
      await showNotice({ title: 'Drover: a test', text: 'This is how a question is told here.' }, environment);
    }
    answer(surroundings, places, (all) => triedText(all, { isHere: terminal.interactive }));
    if (places.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
  },
});
