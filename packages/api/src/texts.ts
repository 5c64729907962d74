/** Validates texts, names and ids of clients. A refusal says what was expected. */
import { workerNameProblem } from '@drover/core';
import { NAME_MAX, PROMPT_BYTES_MAX } from '@drover/protocol';
import { z } from 'zod';

const encoder = new TextEncoder();

/** A text for an agent: not empty, not larger than a message may be, and valid UTF-8. */
export function words(what: string): z.ZodType<string> {
  return z
    .string()
    .max(PROMPT_BYTES_MAX, tooLong(what))
    .refine((text) => text.trim() !== '', `The ${what} is empty: write what the agent must do`)
    .refine((text) => encoder.encode(text).length <= PROMPT_BYTES_MAX, tooLong(what))
    .refine(
      (text) => !text.includes('\0') && text.isWellFormed(),
      `The ${what} contains a zero byte or an incomplete character, so it is not text: give a text file in UTF-8`,
    );
}

/** The refusal of a text that is larger than a message may be. */
export function tooLong(what: string): string {
  return `The ${what} is larger than ${PROMPT_BYTES_MAX / 1024} KiB: put the details into a file of the repository and name that file`;
}

/** An existing worker: its name, or `project/name` if several projects have a worker of that name. */
export const workerRef = z
  .string()
  .max(2 * NAME_MAX)
  .superRefine((ref, ctx) => {
    const problem = workerNameProblem(ref.slice(ref.lastIndexOf('/') + 1));
    if (problem !== null) ctx.addIssue({ code: 'custom', message: problem });
  });

export const workerName = z
  .string()
  .max(NAME_MAX)
  .superRefine((name, ctx) => {
    const problem = workerNameProblem(name);
    if (problem !== null) ctx.addIssue({ code: 'custom', message: problem });
  });

/** Parses the id of a thing such as `a checkpoint`, or enough of the id's beginning or end to be unique. */
export function idPart(what: string): z.ZodType<string, string> {
  return z
    .string()
    .max(36)
    .regex(/^[0-9a-f-]{4,36}$/i, `The id is the beginning or the end of ${what}'s id, at least 4 characters`)
    .transform((id) => id.toLowerCase());
}

const SIMPLE_NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/u;
const SIMPLE_NAME_MAX = 63;

/** The name of a role, such as `reviewer`. */
export const roleName = z
  .string()
  .max(SIMPLE_NAME_MAX, 'A role has at most 63 characters')
  .regex(SIMPLE_NAME, 'A role is up to 63 lower-case letters, digits, dots, hyphens and underscores, such as reviewer');

/** Characters of a wrong label that a refusal shows. */
const LABEL_SHOWN = 80;

/** A label of a machine, such as `gpu`. */
export const label = z
  .string()
  .max(NAME_MAX)
  .refine((text) => text.length <= SIMPLE_NAME_MAX && SIMPLE_NAME.test(text), {
    error: ({ input }) =>
      `${JSON.stringify(input).slice(0, LABEL_SHOWN)} is not a label: a label is up to ${SIMPLE_NAME_MAX} lower-case letters, digits, dots, hyphens and underscores, such as gpu`,
  });

/** Maximum number of labels of one machine or worker: more than people keep apart. */
export const LABELS_MAX = 50;

/** Labels, sorted, each once. */
export const labels = z
  .array(label)
  .max(LABELS_MAX, `There are at most ${LABELS_MAX} labels`)
  .transform((given) => [...new Set(given)].toSorted());

/** The address of a machine for ssh. The address becomes an argument of ssh: nothing in it can pass for an option. */
export const sshAddress = z
  .string()
  .max(255)
  .regex(
    /^(?:[A-Za-z0-9_][A-Za-z0-9._-]*@)?(?:[A-Za-z0-9][A-Za-z0-9._-]*|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?$/u,
    'The address is user@host, host, or either with :port, such as ada@build-3.example.com:2222; an IPv6 address is in brackets',
  );
