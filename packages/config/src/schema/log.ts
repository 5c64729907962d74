// Defines how much is written to a log.
import { z } from 'zod';

/** Levels of the log, from everything to nothing. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** A level of the log. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `log_level` of a part of Drover. */
export const logLevel = z.enum(LOG_LEVELS).default('info');
