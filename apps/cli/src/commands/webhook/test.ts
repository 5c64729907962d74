/** `drover webhook test`: sends an event of the type `webhook.test`, and waits for the result. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';
import { attemptText } from './text.ts';

/** Milliseconds to wait for the result; an attempt takes 15 seconds at most. */
const PATIENCE_MS = 25_000;
const ASK_EVERY_MS = 250;

export const command = defineCommand({
  about: 'send a test to a webhook and show its answer',
  example: 'drover webhook test pager',
  args: { name: required('which webhook') },
  async run(surroundings, { args: { name } }) {
    const { now, sleep } = surroundings;
    const sent = await ask(surroundings, (client) => client.webhooks.test.mutate({ name }));
    const until = now() + PATIENCE_MS;
    for (;;) {
      const all = await ask(surroundings, (client) => client.webhooks.deliveries.query({ name, limit: 50 }));
      const told = all.find(({ id }) => id === sent.id);
      const last = told?.attempts.at(-1);
      if (told?.state === 'delivered') {
        answer(surroundings, told, () => `"${name}" accepted the test: ${last === undefined ? '' : attemptText(last)}`);
        return;
      }
      if (last !== undefined)
        throw new CommandError(
          'refused',
          `"${name}" did not accept the test: ${attemptText(last)}. Drover retries: see "drover webhook deliveries ${name}"`,
        );
      if (now() >= until)
        throw new CommandError(
          'refused',
          `Drover did not call "${name}" within ${PATIENCE_MS / 1_000} s: see the log of the coordinator`,
        );
      await sleep(ASK_EVERY_MS);
    }
  },
});
