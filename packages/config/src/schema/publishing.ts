/** Defines where accepted work goes: fields of `[repo]`. */
import { z } from 'zod';

/** A default branch that takes no pushes gets work as branches of their own, which people merge. */
export const publishing = {
  publish: z
    .enum(['main', 'branch'])
    .default('main')
    .describe(
      'Destination of accepted work. `main`: the default branch. `branch`: Drover pushes the work as a branch `drover/…` for people to merge, and the task is accepted once the default branch has it.',
    ),
  open_request: z
    .array(z.string())
    .default([])
    .describe(
      'With `publish = "branch"`: the program that asks people to merge a branch after its first push: `["gh", "pr", "create", "--head", "{branch}", "--base", "{base}", "--title", "{title}", "--body", "{body}"]`. `{branch}`, `{base}`, `{commit}`, `{title}` and `{body}` are also in its environment (`DROVER_BRANCH` and so on). It runs on the worker\'s machine with the rights of the machine agent.',
    ),
};
