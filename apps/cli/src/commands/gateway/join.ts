/** `drover gateway join`: makes a gateway known to a fleet. */
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, required, text } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'join this gateway to a fleet, with a token of "drover machine invite --gateway"',
  example: 'drover gateway join https://drover.example.com --token-file - < join-token',
  more: 'It needs no Drover root, tmux or git: the machines that it serves have them. Then run it with "drover server gateway".',
  args: { url: required('the coordinator, or several replicas separated by commas') },
  options: {
    tokenFile: text('file', 'a file that holds the token; "-" reads standard input', { isRequired: true }),
    name: text('name', 'the name of this gateway (default: its host name with "-gateway")'),
    insecure: flag('send tokens over plain http to another computer, although others on the network can read them'),
  },
  async run(surroundings, { args: { url }, options: { tokenFile, name, insecure } }) {
    const { joinGateway } = await import('../../compose/join.ts');
    const joined = await joinGateway(surroundings, { url, tokenFile, name, insecure });
    answer(
      surroundings,
      joined,
      (it) => `The gateway "${it.name}" has joined the fleet at ${it.url}. Next: "drover server gateway" runs it here.`,
    );
  },
});
