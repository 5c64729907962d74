/** Reads findings and answers as an agent types them. */
import { CommandError } from '../../exit-codes.ts';

/** Form of an option's text. */
interface Form {
  readonly form: RegExp;
  readonly option: string;
  readonly example: string;
}

const FINDING: Form = {
  form: /^(?<severity>\w+)\s+(?:(?<file>[^\s:]+):(?<line>\d+):?\s+)?(?<text>\S[\s\S]*)$/u,
  option: '--finding',
  example: 'blocker src/a.ts:12 what is wrong',
};
const ANSWER: Form = {
  form: /^(?<finding>\S+?):?\s+(?<did>fixed|declined)(?:[:,.]?\s+(?<why>[\s\S]+))?$/u,
  option: '--answer',
  example: 'F1 declined: it is meant so',
};

/** Reads findings, which get the ids F1, F2 … in their order. @throws {CommandError} `usage`. */
export function findingsIn(texts: readonly string[]): readonly object[] {
  return texts.map((given, at) => {
    const { severity, file = null, line, text } = partsOf(given, FINDING);
    return { id: `F${at + 1}`, severity, file, line: line === undefined ? null : Number(line), text };
  });
}

/** Reads answers to findings. @throws {CommandError} `usage`. */
export function answersIn(texts: readonly string[]): readonly object[] {
  return texts.map((given) => {
    const { finding, did, why = '' } = partsOf(given, ANSWER);
    return { finding, did, why };
  });
}

function partsOf(given: string, { form, option, example }: Form): Record<string, string | undefined> {
  const groups = form.exec(given.trim())?.groups;
  if (groups !== undefined) return groups;
  throw new CommandError('usage', `${option} takes a text such as "${example}", not "${given}"`);
}
