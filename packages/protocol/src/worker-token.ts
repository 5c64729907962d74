/** Lets a machine ask for a token of the worker's own for its pane, and defines the answer. */
import { z } from 'zod';
import { uuid } from './names.ts';

/** `POST /agent/worker-token`, with the machine's access token. The worker's token of before is out. */
export const workerTokenRequest = z.object({ workerId: uuid });
/** A checked `workerTokenRequest`. */
export type WorkerTokenRequest = z.infer<typeof workerTokenRequest>;

/** The token: it reads what concerns this worker, and changes nothing. */
export const workerTokenAnswer = z.object({ token: z.string().min(20).max(200) });
/** A checked `workerTokenAnswer`. */
export type WorkerTokenAnswer = z.infer<typeof workerTokenAnswer>;
