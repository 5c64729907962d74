/** Where do the depots of this machine lie? */
import { join } from 'node:path';

/** Where the depots of all projects lie: in the agent's own directory, which no worker in a cage sees. */
export function depotsOf(dataDir: string): string {
  return join(dataDir, 'depots');
}
