/** How a command names one question. */
import { required } from '../../program/spec.ts';

/** The argument of the commands about one question. */
export const ESCALATION_ID = { id: required('its id, or the part of it that is shown') } as const;
