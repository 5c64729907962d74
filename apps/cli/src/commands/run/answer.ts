/** Answers a question of a run: `drover answer RUN start|edit|revise "…"|stop`. */
import { messageOf } from '@drover/base';
import type { RunView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined } from '../../program/answer.ts';
import type { Surroundings } from '../../surroundings.ts';
import { edited } from '../../terminal/editor.ts';
import { readText } from '../../terminal/texts.ts';
import { runText } from './text.ts';
import { NEEDED_TEXT } from './needed-text.ts';

interface Answering {
  readonly id: string;
  readonly choice: string;
  readonly words: string | undefined;
  readonly file: string | undefined;
  readonly question: string | undefined;
}

export async function answerRun(surroundings: Surroundings, given: Answering): Promise<void> {
  const { id, choice: option, words } = given;
  const run = await ask(surroundings, (client) => client.runs.show.query({ id }));
  const asked = questionOf(run, given.question);
  const names = asked.options.map((one) => one.option);
  if (!names.some((name) => name === option))
    throw new CommandError(
      'usage',
      `The run has no option "${option}" for ${asked.item}; there are: ${names.join(', ')}`,
    );
  const missing = words === undefined ? NEEDED_TEXT[option] : undefined;
  if (missing !== undefined)
    throw new CommandError('usage', `The words are missing: drover answer ${run.shortId} ${option} "${missing}"`);
  const parts = option === 'edit' ? await editedParts(surroundings, asked, given.file) : undefined;
  const input = {
    requestId: surroundings.uuid(),
    id: run.id,
    question: asked.id,
    option,
    ...defined({ words, parts }),
  };
  const after = await ask(surroundings, (client) => client.runs.answer.mutate(input));
  answer(surroundings, after, runText);
}

type Question = RunView['questions'][number];
type Parts = NonNullable<Question['parts']>;

function questionOf({ shortId, status, questions }: RunView, id: string | undefined): Question {
  const named = questions.filter((one) => id === undefined || one.id === id);
  const [only, ...others] = named;
  if (only === undefined) throw new CommandError('refused', `The run ${shortId} asks nothing: it is ${status}`);
  if (others.length > 0)
    throw new CommandError(
      'usage',
      `The run ${shortId} asks ${named.length} questions: name one with --question: ${named.map((one) => one.id).join(', ')}`,
    );
  return only;
}

/** Lets the person change the plan as JSON, in a file or in their editor. */
async function editedParts(
  surroundings: Surroundings,
  { parts, item }: Question,
  file: string | undefined,
): Promise<Parts> {
  if (parts === null) throw new CommandError('usage', `There is no plan to edit: the question about ${item} has none`);
  const source = { text: undefined, cwd: surroundings.cwd, what: 'plan', given: '', option: '--file' };
  const text =
    file === undefined
      ? await edited(surroundings, { name: 'plan.json', text: `${JSON.stringify(parts, null, 2)}\n` })
      : await readText({ ...source, file });
  try {
    const changed: unknown = JSON.parse(text);
    if (Array.isArray(changed)) return changed as Parts;
  } catch (error) {
    throw new CommandError('usage', `The plan is no JSON: ${messageOf(error)}`);
  }
  throw new CommandError('usage', 'The plan is a list of parts, each with title, prompt and paths');
}
