/** Finds stages and items of a run by name, and what they give to others. */
import { invariant } from '../invariant.ts';
import { subjectOf } from './flow.ts';
import type { Stage } from './flow.ts';
import type { Author, Item, Output, Run, StageState } from './run.ts';

/** Output of an item that has none yet. */
export const NO_OUTPUT: Output = { summary: '', report: '', parts: [], commit: null, tree: null, checkOutput: '' };

/** Returns the stage of an item's name. */
export function stageName(item: string): string {
  return item.split('/')[0] ?? item;
}

export function stageOf(run: Run, name: string): StageState {
  const stage = run.stages.find((one) => one.name === name);
  invariant(stage !== undefined, `The run has no stage "${name}"`);
  return stage;
}

/** Returns the stage as the flow describes it. */
export function planOf(run: Run, name: string): Stage {
  const stage = run.terms.flow.stages.find((one) => one.name === name);
  invariant(stage !== undefined, `The flow has no stage "${name}"`);
  return stage;
}

export function findItem(run: Run, name: string): Item | null {
  return run.stages.find((stage) => stage.name === stageName(name))?.items.find((item) => item.name === name) ?? null;
}

export function itemOf(run: Run, name: string): Item {
  const item = findItem(run, name);
  invariant(item !== null, `The run has no item "${name}"`);
  return item;
}

export function allItems(run: Run): readonly Item[] {
  return run.stages.flatMap(({ items }) => items);
}

/** Returns the stage in hand: the first that has not settled. Null: all have. */
export function stageInHand(run: Run): StageState | null {
  return run.stages.find(({ settled }) => settled === null) ?? null;
}

/** Tells whether a later stage may use what an item gives. */
export function isUsable({ progress }: Item): boolean {
  return progress.kind === 'settled' && (progress.as === 'passed' || progress.as === 'partial');
}

/** Returns what a stage gives to later ones: of one item its output, of several all of them together. */
export function outputOf(run: Run, name: string): Output {
  const items = stageOf(run, name).items.filter(isUsable);
  const [first] = items;
  if (first === undefined) return NO_OUTPUT;
  if (items.length === 1 && planOf(run, name).kind !== 'each') return first.output;
  const titled = (text: (output: Output) => string): string =>
    items
      .filter(({ output }) => text(output) !== '')
      .map((item) => `## ${item.part?.title ?? item.name}\n\n${text(item.output)}`)
      .join('\n\n');
  return { ...NO_OUTPUT, summary: titled((output) => output.summary), report: titled((output) => output.report) };
}

/** Returns everybody who wrote a part of what a stage gives. */
export function authorsOf(run: Run, name: string): readonly Author[] {
  return unique(
    stageOf(run, name)
      .items.filter(isUsable)
      .flatMap(({ authors }) => authors),
  );
}

/** Drops authors who are named twice. */
export function unique(authors: readonly Author[]): readonly Author[] {
  return authors.filter((one, at) => authors.findIndex(({ workerId }) => workerId === one.workerId) === at);
}

/** Returns the stages after `subject` and before `until` that stand on its output. */
export function standingOn(run: Run, subject: string, until: string): readonly string[] {
  const names = [subject];
  for (const stage of run.terms.flow.stages) {
    if (stage.name === until) break;
    const on = subjectOf(stage);
    if (on !== null && names.includes(on)) names.push(stage.name);
  }
  return names.slice(1);
}
