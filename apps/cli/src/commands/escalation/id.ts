/** The argument by which a command names a question. */
import { required } from '../../program/spec.ts';

export const ESCALATION_ID = { id: required('its id, or the part of it that is shown') } as const;
