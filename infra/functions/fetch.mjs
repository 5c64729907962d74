// For runtimes that call `fetch` of the default export. `npm run build` made what it imports.
import { serve } from '../../apps/cli/dist/functions.js';

export default { fetch: serve };
