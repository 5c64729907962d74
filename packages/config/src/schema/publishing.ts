/** Defines where accepted work goes: fields of `[repo]`. */
import { z } from 'zod';

/** A default branch that takes no pushes gets work as branches of their own, which people merge. */
export const publishing = {
  publish: z
    .enum(['main', 'branch'])
    .default('main')
    .describe(
      'Where accepted work goes: into the default branch (`main`), or for a default branch that takes no pushes as a branch `drover/…` beside it (`branch`), which people merge there. Then the task is accepted once the default branch has it.',
    ),
  open_request: z
    .array(z.string())
    .default([])
    .describe(
      'With `publish = "branch"`: the program, and its arguments, that asks people to merge a branch when it is pushed for the first time: `["gh", "pr", "create", "--head", "{branch}", "--base", "{base}", "--title", "{title}", "--body", "{body}"]`. `{branch}`, `{base}`, `{commit}`, `{title}` and `{body}` stand for its values, also in the environment as `DROVER_BRANCH` and so on. It runs on the machine of the worker, with the rights of the machine agent.',
    ),
};
