/** Names the directory of the depots of this machine. */
import { join } from 'node:path';

/** Directory of the depots of all projects: in Drover's own directory on the machine, which no worker in a cage sees. */
export function depotsOf(machineDir: string): string {
  return join(machineDir, 'depots');
}
