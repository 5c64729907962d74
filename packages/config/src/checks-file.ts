// Reads the checks that a repository asks for itself: the file `.drover/checks.toml` of its default branch.
import { messageOf } from '@drover/base';
import { parse } from 'smol-toml';
import { z } from 'zod';

/** Path of the file in the repository. */
export const CHECKS_FILE = '.drover/checks.toml';

/** Commands in one file: more than any project runs before a merge. */
const COMMANDS_MAX = 50;
/** Words in one command, and characters in one word. */
const WORDS_MAX = 200;
const WORD_CHARS_MAX = 4_096;

/** Each a program and its arguments; nothing is given to a shell. */
const commands = z.array(z.array(z.string().min(1).max(WORD_CHARS_MAX)).min(1).max(WORDS_MAX)).max(COMMANDS_MAX);

const checksSchema = z.strictObject({
  validate: commands.min(1),
  /** Makes a fresh checkout ready for the others. */
  setup: commands.default([]),
  /** Makes the place of a worker ready for its agent. */
  worker_setup: commands.default([]),
  /** Seconds that each command may take; absent: as the project's configuration says. */
  validate_timeout_secs: z.int().min(1).max(86_400).optional(),
});

/** Content of the file. */
interface Checks {
  readonly commands: readonly (readonly string[])[];
  /** Commands that make a fresh checkout ready for them. */
  readonly setup: readonly (readonly string[])[];
  /** Commands that make the place of a worker ready for its agent. */
  readonly workerSetup: readonly (readonly string[])[];
  /** Milliseconds that each command may take; null where the file does not say. */
  readonly timeoutMs: number | null;
}

/** The checks, or why the text is no such file. */
type ChecksOutcome =
  | { readonly kind: 'ok'; readonly checks: Checks }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Reads the text of a checks file. Never throws. */
export function parseChecks(text: string): ChecksOutcome {
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    return { kind: 'invalid', problem: messageOf(error) };
  }
  const parsed = checksSchema.safeParse(document);
  if (!parsed.success) return { kind: 'invalid', problem: z.prettifyError(parsed.error) };
  const { validate, setup, worker_setup: workerSetup, validate_timeout_secs: seconds } = parsed.data;
  const timeoutMs = seconds === undefined ? null : seconds * 1_000;
  return { kind: 'ok', checks: { commands: validate, setup, workerSetup, timeoutMs } };
}
