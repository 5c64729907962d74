/** `drover machine join`: makes this machine one of a fleet. */
import { defineCommand } from '../../../program/define.ts';
import { answer } from '../../../program/answer.ts';
import { flag, required, text } from '../../../program/spec.ts';

export const command = defineCommand({
  about: 'join this machine to a fleet, with a token of "drover machine invite"',
  example:
    'drover machine join https://drover.example.com --token-file join-token\ndrover machine join https://drover.example.com --token-file - < join-token',
  more: 'It needs no Drover root. Then "drover machine service install" keeps the agent running, or "drover server agent" runs it here.',
  args: { url: required('the coordinator, or several replicas separated by commas') },
  options: {
    tokenFile: text('file', 'a file that holds the token; "-" reads standard input', { isRequired: true }),
    name: text('name', 'the name of this machine (default: its host name)'),
    insecure: flag('send tokens over plain http to another computer, although others on the network can read them'),
  },
  async run(surroundings, { args: { url }, options: { tokenFile, name, insecure } }) {
    const { joinHere } = await import('../../../compose/join.ts');
    const joined = await joinHere(surroundings, { url, tokenFile, name, insecure });
    answer(
      surroundings,
      joined,
      (it) =>
        `This machine has joined the fleet at ${it.url} as "${it.name}". Next: "drover machine service install" keeps its agent running, or "drover server agent" runs it here.`,
    );
  },
});
