/** `drover debug screen explain`: explains Drover's reading of a worker's screen: the state, the rule and the evidence. */
import { ask } from '../../../client/client.ts';
import { defineCommand } from '../../../program/define.ts';
import { required } from '../../../program/spec.ts';
import { paint, plain } from '../../../terminal/style.ts';

export const command = defineCommand({
  about: 'explain how Drover reads a screen, and by which rule',
  example: 'drover debug screen explain adam',
  args: { worker: required('its name') },
  async run(surroundings, { args: { worker: name } }) {
    const { terminal } = surroundings;
    const reading = await ask(surroundings, (client) => client.workers.screen.query({ name }));
    if (terminal.json) {
      terminal.out(JSON.stringify(reading));
      return;
    }
    const { state, label, confidence, rule, evidence, profile } = reading;
    terminal.out(
      `Drover reads ${name} as ${paint(state.kind, 'bold', terminal.colours)} (label "${label}", confidence ${confidence})`,
    );
    terminal.out(`rule: ${plain(rule)} of the profile "${plain(profile)}"`);
    for (const { source, says, seen } of evidence) terminal.out(`  ${source} says ${says}: ${plain(seen)}`);
    terminal.err(`Wrong? Keep it as a test case: drover debug screen record ${name} --label LABEL`);
  },
});
