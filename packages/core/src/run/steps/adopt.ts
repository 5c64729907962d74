/** Takes passed items over from the run that this one tries again, where nothing that they stand on has changed. */
import { canonical } from '../../canonical.ts';
import { allItems, outputOf, planOf, stageName, stageOf } from '../find.ts';
import { subjectOf } from '../flow.ts';
import type { Adoptable, Item, Run } from '../run.ts';
import { record, rule, setItem } from '../step.ts';
import type { RunStep } from '../step.ts';
import { fill } from '../texts.ts';

/** Returns all that an item's outcome depends on, as one text: equal for equal work. */
export function fingerprintOf(run: Run, item: Item): string {
  const plan = planOf(run, stageName(item.name));
  const { base, inputs } = run.terms;
  const subject = subjectOf(plan);
  const given = subject === null ? null : givenBy(run, subject);
  const work = 'ask' in plan ? { ask: fill(run, plan.ask, item.part), role: plan.role, profile: plan.profile } : null;
  const check = { stage: 'check' in plan ? plan.check : null, part: item.part?.check ?? [] };
  const from = item.from === base.commit ? base.tree : item.from;
  return canonical({ kind: plan.kind, returns: item.returns, base: base.tree, inputs, from, given, work, check });
}

/** Returns what a stage gives, for the fingerprints of those that stand on it. */
function givenBy(run: Run, subject: string): unknown {
  if (planOf(run, subject).kind === 'each')
    return stageOf(run, subject).items.map(({ output: { commit, tree } }) => tree ?? commit);
  const { commit, tree, parts, report } = outputOf(run, subject);
  return { commit: tree ?? commit, parts, report };
}

/** Adopts a passed item; null: there is none like it. */
export function adopt(step: RunStep, item: Item): RunStep | null {
  const fingerprint = fingerprintOf(step.run, item);
  const found = step.run.terms.adopts.find((one) => one.item === item.name && one.fingerprint === fingerprint);
  if (found === undefined) return null;
  const adopted = setItem(rule(step, 'adopted'), item.name, {
    fingerprint,
    output: found.output,
    authors: found.authors,
    isAdopted: true,
    progress: { kind: 'settled', as: 'passed', why: `It passed in run ${step.run.terms.retryOf ?? ''}.` },
  });
  return record(adopted, { kind: 'adopted', item: item.name, from: step.run.terms.retryOf ?? '' });
}

/** Lists what another try of this run may adopt: what passed before a stage; null: all that passed. */
export function adoptableFrom(run: Run, from: string | null): readonly Adoptable[] {
  const names = run.terms.flow.stages.filter(({ kind }) => kind !== 'accept').map(({ name }) => name);
  const kept = from === null ? names : names.slice(0, Math.max(0, names.indexOf(from)));
  return allItems(run)
    .filter(({ name, progress }) => {
      return kept.includes(stageName(name)) && progress.kind === 'settled' && progress.as === 'passed';
    })
    .map(({ name, fingerprint, output, authors }) => ({ item: name, fingerprint, output, authors }));
}
