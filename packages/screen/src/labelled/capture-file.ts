/** Reads the `.json` beside a recorded capture, and finds what is wrong with a file that is no such file. */
import { z } from 'zod';

/** Labels of recorded captures. */
export const CAPTURE_LABELS = [
  'starting',
  'dialog_trust',
  'dialog_bypass',
  'dialog_other',
  'ready',
  'typed',
  'processing',
  'question_choice',
  'permission',
  'error_retrying',
  'error_terminal',
  'exited_shell',
  'dead',
  'unknown',
] as const;
/** A label of recorded captures. */
export type CaptureLabel = (typeof CAPTURE_LABELS)[number];

/** tmux writes numbers and flags as text; a missing value is empty. */
const text = z.union([z.string(), z.number(), z.boolean()]).transform(String).optional();

/** The `.json` beside a capture. Fields that the judge does not need are let through. */
export const captureFileSchema = z.object({
  program: z.string(),
  version: z.string().optional(),
  state: z.string().optional(),
  label: z.enum(CAPTURE_LABELS),
  pane_current_command: text,
  pane_dead: text,
  pane_dead_status: text,
  pane_dead_signal: text,
  pane_title: text,
  alternate_on: text,
  history_size: text,
  cursor_y: text,
});
/** A checked `.json` of a capture. */
export type CaptureFile = z.output<typeof captureFileSchema>;

/** A `.json` that is not one of a capture. The message names each field, what it is, and what was expected. */
export class CaptureFileError extends Error {
  override readonly name = 'CaptureFileError';
}

/** Checks a `.json`. @throws {CaptureFileError} */
export function readCaptureFile(json: unknown): CaptureFile {
  const parsed = captureFileSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new CaptureFileError(parsed.error.issues.map((issue) => problemOf(issue, json)).join('; '));
}

function problemOf({ path, message }: z.core.$ZodIssue, json: unknown): string {
  const [field] = path;
  if (typeof field !== 'string') return 'it is no object: expected one with "program" and "label"';
  const expected = field === 'label' ? `expected one of ${CAPTURE_LABELS.join(', ')}` : message;
  const given = Object.entries(json ?? {}).find(([name]) => name === field);
  return given === undefined
    ? `"${field}" is missing: ${expected}`
    : `"${field}" is ${JSON.stringify(given[1])}: ${expected}`;
}
