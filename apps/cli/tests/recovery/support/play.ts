/** Plays a scenario and checks that it ends as the policy says. Polls all conditions until they hold, or time is over. */
import type { ErrorView } from '@drover/api';
import { until } from '../../../../../tools/fleet/wait.ts';
import { decisionsSoFar } from './accounts.ts';
import type { End, Scenario } from './scenario.ts';
import { Scene } from './scene.ts';
import type { Stand } from './stand.ts';

/** Milliseconds until everything must hold on a loaded machine; on a quiet one it takes a few seconds. */
const END_MS = 240_000;

/** Milliseconds for a whole scenario, for the test runner. */
export const SCENARIO_MS = 480_000;

/** Plays a scenario to its end. @throws with all conditions that fail, and the history. */
export async function play(stand: Stand, scenario: Scenario): Promise<void> {
  const scene = new Scene(stand, scenario);
  if (scenario.prompt !== null) await scene.begin(scenario.prompt);
  await scenario.act?.(scene);
  await ends(scene, scenario.end);
}

/** Waits until all conditions hold. */
export async function ends(scene: Scene, end: End): Promise<void> {
  let wrong: readonly string[] = [];
  const ask = async (): Promise<true | undefined> => {
    wrong = await wrongs(scene, end);
    return wrong.length === 0 ? true : undefined;
  };
  await until(async () => `${wrong.join('\n')}\n${await story(scene)}`, ask, END_MS);
}

async function wrongs(scene: Scene, end: End): Promise<readonly string[]> {
  const worker = await scene.view();
  const status = `${worker?.status ?? 'gone'}`;
  if (status !== end.status) return [`it is ${status} (${worker?.note ?? ''}), not ${end.status}`];
  // Decisions, not the history for people: a rule may fire in a decision with or without a line for people, depending on earlier events.
  // Asks for the rest once all have fired: the scenarios that run beside this one wait for the processor that each answer takes.
  const missing = missingRules(await decisionsSoFar(scene), end.rules);
  if (missing.length > 0) return missing;
  const [why, errors, questions] = await Promise.all([scene.why(), scene.errors(), scene.questions()]);
  const words = [worker?.note ?? '', ...why.because, ...why.about, ...why.history.flatMap(({ said }) => said)].join(
    '\n',
  );
  const told = errors.filter(({ code, recovered }) => !(recovered && end.mayAlso?.includes(code)));
  const log = Object.fromEntries(told.toReversed().map((error) => [error.code, becomes(error)]));
  const asked = questions.map(({ title, question, context }) => ({
    title,
    options: question.options.map(({ id }) => id),
    pane: context.pane.join('\n'),
  }));
  return [
    ...(end.note === undefined || end.note.test(worker?.note ?? '') ? [] : [`note "${worker?.note ?? ''}"`]),
    ...differ('errors', log, end.errors),
    ...wrongQuestion(asked, end.asks),
    ...(end.why.test(words) ? [] : [`"drover why" does not say ${String(end.why)}: ${words}`]),
    ...Object.entries(end.taken ?? {}).flatMap(([text, times]) => differ(`taken "${text}"`, scene.taken(text), times)),
    ...(end.commits === undefined ? [] : differ('commits', scene.stand.site.commits(scene.name), end.commits)),
  ];
}

function becomes({ recovered, outcome }: ErrorView): End['errors'][string] {
  if (recovered) return 'recovered';
  return outcome === 'cancelled' ? 'called off' : 'open';
}

function differ(what: string, is: unknown, should: unknown): readonly string[] {
  const [one, other] = [sorted(is), sorted(should)];
  return one === other ? [] : [`${what}: ${one}, not ${other}`];
}

function sorted(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  return JSON.stringify(Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => a.localeCompare(b))));
}

/** Finds missing rules. Rules fire in this order; those of one decision in any. */
function missingRules(decisions: readonly (readonly string[])[], expected: readonly string[]): readonly string[] {
  let at = 0;
  let left: readonly string[] = decisions[0] ?? [];
  for (const rule of expected) {
    while (!left.includes(rule)) {
      at += 1;
      const next = decisions[at];
      if (next === undefined)
        return [`the rule "${rule}" did not fire in its turn; fired: ${decisions.flat().join(', ')}`];
      left = next;
    }
    left = left.filter((one) => one !== rule);
  }
  return [];
}

function wrongQuestion(
  asked: readonly { readonly title: string; readonly options: readonly string[]; readonly pane: string }[],
  expected: End['asks'],
): readonly string[] {
  const [question, ...more] = asked;
  if (more.length > 0) return [`${asked.length} questions wait: ${JSON.stringify(asked)}`];
  if (expected === undefined) return question === undefined ? [] : [`a question waits: ${JSON.stringify(question)}`];
  if (question === undefined) return ['no question waits'];
  return [
    ...(expected.title.test(question.title) ? [] : [`the question is "${question.title}"`]),
    ...differ('options', question.options, expected.options),
    ...(expected.pane?.test(question.pane) === false ? [`the question shows the pane as "${question.pane}"`] : []),
  ];
}

/** Tells the history of the worker, for the message of a failed test. */
export async function story(scene: Scene): Promise<string> {
  const { history, about } = await scene.why();
  const lines = history
    .toReversed()
    .map(({ kind, rules, to, said }) => `${kind} [${rules.join(' ')}] ${to}: ${said.join(' | ')}`);
  const errors = (await scene.errors()).map(({ code, message, recovered }) => `${code} ${recovered}: ${message}`);
  return [...lines, ...about, ...errors].join('\n');
}
