/** Where do the depots of this machine lie? */
import { join } from 'node:path';

/** Where the depots of all projects lie: in Drover's own directory on the machine, which no worker in a cage sees. */
export function depotsOf(machineDir: string): string {
  return join(machineDir, 'depots');
}
