/** `drover screen explain`: what a worker's screen is taken for, by which rule, and what speaks for it. */
import { ask } from '../../client/client.ts';
import { paint, plain } from '../../terminal/style.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(surroundings: Surroundings, [name = '']: readonly string[]): Promise<void> {
  const { terminal } = surroundings;
  const sight = await ask(surroundings, (client) => client.workers.screen.query({ name }));
  if (terminal.json) {
    terminal.out(JSON.stringify(sight));
    return;
  }
  const { state, label, confidence, rule, evidence, profile } = sight;
  terminal.out(
    `${name} is taken for ${paint(state.kind, 'bold', terminal.colours)} (label "${label}", confidence ${confidence})`,
  );
  terminal.out(`rule: ${plain(rule)} of the profile "${plain(profile)}"`);
  for (const { source, says, seen } of evidence) terminal.out(`  ${source} says ${says}: ${plain(seen)}`);
  terminal.err(`Wrong? Keep it as a test case: drover screen record ${name} --label LABEL`);
}
