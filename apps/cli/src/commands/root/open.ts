/** `drover open`: opens the dashboard in a browser, signed in as the caller. */
import { createLocalHost } from '@drover/host';
import type { Environment } from '@drover/config/surroundings';
import { askAt, placeOf } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { flag } from '../../program/spec.ts';

/** Milliseconds that the program which starts the browser may take. */
const START_MS = 10_000;

export const command = defineCommand({
  about: 'open the dashboard in a browser, signed in',
  example: 'drover open\ndrover open --print',
  options: { print: flag('print the address and open nothing') },
  async run(surroundings, { options: { print } }) {
    const { environment, terminal } = surroundings;
    const place = await placeOf(surroundings);
    const { ticket } = await askAt(surroundings, place, (client) => client.session.ticket.mutate());
    const url = signInAddress(place.url, ticket);
    const command = print || terminal.json ? null : browserCommand(url, process.platform, environment.variables);
    const isOpen = command !== null && (await start(command, environment));
    answer(surroundings, { url }, () => (isOpen ? `The dashboard opens in your browser: ${place.url}` : shown(url)));
  },
});

/** Builds the address of the page that signs in. A browser sends no fragment to any server. */
export function signInAddress(url: string, ticket: string): string {
  return `${url}/sign-in#ticket=${ticket}`;
}

function shown(url: string): string {
  return `Open this address within 30 seconds; it signs one browser in:\n${url}`;
}

/** Returns the program that opens an address, with its arguments; null if no desktop is known. */
export function browserCommand(
  url: string,
  platform: string,
  variables: Environment['variables'],
): readonly [program: string, ...args: string[]] | null {
  if (platform === 'darwin') return ['open', url];
  const hasDesktop = variables['DISPLAY'] !== undefined || variables['WAYLAND_DISPLAY'] !== undefined;
  return platform === 'linux' && hasDesktop ? ['xdg-open', url] : null;
}

/** @returns false if the program is missing or fails: then the address is printed. */
async function start([program, ...args]: readonly [string, ...string[]], { variables }: Environment): Promise<boolean> {
  return createLocalHost({ env: variables })
    .run(program, args, { timeoutMs: START_MS })
    .then(
      ({ status }) => status === 0,
      () => false,
    );
}
