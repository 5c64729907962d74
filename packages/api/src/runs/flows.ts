/** Flows, as clients name and see them. */
import { z } from 'zod';

/** Bytes of a flow file. Source: the limits of flows in core. */
export const FLOW_BYTES_MAX = 32 * 1024;

/** Name of a flow, such as `change`. */
export const flowName = z
  .string()
  .max(63)
  .regex(/^[a-z][a-z0-9-]*$/u, 'A flow is named by lower-case letters, digits and hyphens, such as change');

export const flowView = z.object({
  name: z.string(),
  about: z.string(),
  inputs: z.array(z.string()),
  stages: z.array(z.string()),
  text: z.string(),
});

export const flowInput = z.object({ name: flowName });
export const flowCheckInput = z.object({ text: z.string().max(FLOW_BYTES_MAX), name: flowName });

export type FlowView = z.infer<typeof flowView>;
