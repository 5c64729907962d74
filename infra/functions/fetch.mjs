// Serves runtimes that call `fetch` of the default export. `npm run build:functions` made what it imports.
import { serve } from '../../apps/cli/dist/functions.js';

// oxlint-disable-next-line import/no-default-export -- the runtime takes this one
export default { fetch: serve };
