// Reads one stage of a flow: its keys say its kind.
import { givesCommit, OUTPUT_FIELDS, PART_FIELDS, placeholdersOf } from '@drover/core';
import type { Budget, Flow, Stage } from '@drover/core';
import type { Problems, Table } from './table.ts';
import { commands, money, text, time, tokens, whole, word } from './values.ts';

/** Facts around a stage. */
export interface Around {
  readonly inputs: Flow['inputs'];
  /** Stages before it. */
  readonly before: readonly Stage[];
  /** Names of all stages of the flow. */
  readonly names: readonly string[];
  readonly problems: Problems;
}

const REVIEW_ASK =
  'Review this work: does it do what was asked, is it right, is it tested, is it simple? Name each problem as a finding with its severity. The work was: {{goal}}';

/** Reads a stage; null: its keys say no kind, or name no stage. */
export function readStage(name: string, table: Table, around: Around): Stage | null {
  const kind = kindOf(table);
  if (kind === null) {
    around.problems.add(
      table.path,
      `stage "${name}" does nothing: it needs ask, each, join, check, of, gate or accept`,
    );
    return null;
  }
  const stage = READERS[kind](name, table, around);
  table.end(`a stage that has ${kind}`);
  return stage;
}

const KINDS = ['gate', 'accept', 'join', 'of', 'each', 'ask', 'check'] as const;
type Key = (typeof KINDS)[number];

function kindOf(table: Table): Key | null {
  return KINDS.find((key) => table.has(key)) ?? null;
}

const READERS: Readonly<Record<Key, (name: string, table: Table, around: Around) => Stage | null>> = {
  gate: (name, table, around) => {
    const of = need(table, 'gate', { around, fits: (stage) => stage.kind === 'task' || stage.kind === 'join' });
    const who = table.take('who', word(['operator', 'admin']), 'operator');
    return of === null ? null : { kind: 'gate', name, of, who, budget: budgetOf(table) };
  },
  accept: (name, table, around) => {
    const of = need(table, 'accept', { around, fits: givesCommit });
    return of === null ? null : { kind: 'accept', name, of, budget: budgetOf(table) };
  },
  join: (name, table, around) => {
    const of = need(table, 'join', { around, fits: (stage) => givesCommit(stage) || hasCommits(stage) });
    const rest = {
      ...workOf(table, around, {
        role: 'developer',
        ask: isAboutGoal(around) ? 'This belongs to the work: {{goal}}' : '',
      }),
      check: table.take('check', commands, null),
    };
    return of === null ? null : { kind: 'join', name, of, ...rest, budget: budgetOf(table) };
  },
  of: (name, table, around) => {
    if (table.has('check')) return checkStage(name, table, around);
    const of = need(table, 'of', { around, fits: givesCommit });
    const goal = isAboutGoal(around) ? REVIEW_ASK : REVIEW_ASK.replace(/ The work was.*/u, '');
    const work = workOf(table, around, { role: 'reviewer', ask: goal });
    const rounds = table.take('rounds', whole(1, 5), 2);
    const profile = work.profile ?? 'other';
    return of === null ? null : { kind: 'review', name, of, ...work, profile, rounds, budget: budgetOf(table) };
  },
  each: (name, table, around) => {
    const stage = need(table, 'each', {
      around,
      fits: (one) => one.kind === 'task' && one.returns === 'parts',
      field: 'parts',
    });
    const returns = table.take('returns', word<'commit' | 'report'>(['commit', 'report']), 'commit');
    const rest = {
      ...workOf(table, around, { role: 'developer', ask: null, isOfParts: true }),
      check: table.take('check', commands, null),
    };
    if (stage === null) return null;
    return { kind: 'each', name, over: { kind: 'parts', stage }, returns, ...rest, budget: budgetOf(table) };
  },
  ask: (name, table, around) => {
    const returns = table.take('returns', word<'commit' | 'parts' | 'report'>(['commit', 'parts', 'report']), 'commit');
    const check = table.take('check', commands, null);
    const times = table.take('times', whole(1, 10), null);
    const work = workOf(table, around, { role: returns === 'report' ? 'researcher' : 'developer', ask: null });
    const budget = budgetOf(table);
    if (check !== null && returns !== 'commit')
      around.problems.add([name, 'check'], `${name}.check: a stage that returns ${returns} has no commit to check`);
    if (times === null) return { kind: 'task', name, returns, check, ...work, budget };
    if (returns !== 'report')
      around.problems.add(
        [name, 'times'],
        `${name}.times: only a stage that returns "report" can be done several times`,
      );
    return { kind: 'each', name, over: { kind: 'times', times }, returns: 'report', check: null, ...work, budget };
  },
  check: checkStage,
};

/** Reads a check alone: of the stage that it names, else of the last one with a commit. */
function checkStage(name: string, table: Table, around: Around): Stage | null {
  const last = around.before.findLast(givesCommit)?.name ?? null;
  if (last === null && !table.has('of'))
    around.problems.add([name, 'check'], `${name}: no stage before it gives a commit to check`);
  const of = table.has('of') ? need(table, 'of', { around, fits: givesCommit }) : last;
  const check = table.take('check', commands, []);
  return of === null ? null : { kind: 'check', name, of, check, budget: budgetOf(table) };
}

function isAboutGoal({ inputs }: Around): boolean {
  return Object.hasOwn(inputs, 'goal');
}

function hasCommits(stage: Stage): boolean {
  return stage.kind === 'each' && stage.returns === 'commit';
}

function budgetOf(table: Table): Budget {
  return {
    timeMs: table.take('time', time, null),
    tokens: table.take('tokens', tokens, null),
    money: table.take('money', money, null),
  };
}

interface Defaults {
  readonly role: string;
  /** Null: a text must be given. */
  readonly ask: string | null;
  /** True: the text may name the part. */
  readonly isOfParts?: boolean;
}

function workOf(
  table: Table,
  around: Around,
  { role: usual, ask: standing, isOfParts = false }: Defaults,
): { role: string; profile: string | null; ask: string; tries: number } {
  const role = table.take('role', text, usual);
  const profile = table.take('profile', text, null);
  const ask = standing === '' ? '' : table.take('ask', text, standing ?? '');
  if (standing === null && !table.has('ask'))
    around.problems.add(table.path, `${table.path.join('.')}: ask is missing: expected the text for the agent`);
  for (const name of placeholdersOf(ask)) checkPlaceholder(name, table, { around, isOfParts });
  return { role, profile, ask, tries: table.take('tries', whole(1, 5), 2) };
}

function checkPlaceholder(
  name: string,
  table: Table,
  { around, isOfParts }: { readonly around: Around; readonly isOfParts: boolean },
): void {
  const { problems, inputs, before, names } = around;
  const path = [...table.path, 'ask'];
  const [first = '', field] = name.split('.');
  const refuse = (known: readonly string[]): void => {
    problems.unknown([...path, name], `{{${name}}} names nothing`, known);
  };
  if (field === undefined) {
    if (!Object.hasOwn(inputs, first)) refuse(Object.keys(inputs));
  } else if (first === 'part') {
    if (!isOfParts) problems.add(path, `{{${name}}}: only a stage with each = "… .parts" has a part`);
    else if (!PART_FIELDS.some((one) => one === field)) refuse(PART_FIELDS.map((one) => `part.${one}`));
  } else if (!before.some((stage) => stage.name === first)) {
    if (names.includes(first)) problems.add(path, `{{${name}}}: stage "${first}" comes later; a need must come before`);
    else refuse(before.flatMap((stage) => fieldsOf(stage).map((one) => `${stage.name}.${one}`)));
  } else {
    const stage = before.find((one) => one.name === first);
    const fields = stage === undefined ? [] : fieldsOf(stage);
    if (!fields.includes(field)) refuse(fields.map((one) => `${first}.${one}`));
  }
}

/** Names what a stage gives to texts. */
function fieldsOf(stage: Stage): readonly string[] {
  const gives = {
    summary: stage.kind === 'task' || stage.kind === 'each' || stage.kind === 'join',
    report: 'returns' in stage && stage.returns === 'report',
    parts: 'returns' in stage && stage.returns === 'parts',
    commit: givesCommit(stage),
  };
  return OUTPUT_FIELDS.filter((field) => gives[field]);
}

interface Need {
  readonly around: Around;
  readonly fits: (stage: Stage) => boolean;
  /** Field that follows the stage's name. */
  readonly field?: string;
}

/** Reads the name of an earlier stage; null: refused. */
function need(table: Table, key: string, { around, fits, field }: Need): string | null {
  const given = table.take(key, text, null);
  if (given === null) return null;
  const path = [...table.path, key];
  const [name = '', tail] = given.split('.');
  const stage = around.before.find((one) => one.name === name);
  if (stage === undefined && around.names.includes(name)) {
    around.problems.add(path, `${path.join('.')}: stage "${name}" comes later; a need must come before`);
  } else if (stage === undefined || tail !== field) {
    const known = around.before.filter(fits).map((one) => (field === undefined ? one.name : `${one.name}.${field}`));
    around.problems.unknown([...path, given], `${path.join('.')}: "${given}" is no stage before it`, known);
    return null;
  } else if (!fits(stage)) {
    around.problems.add(path, `${path.join('.')}: stage "${name}" does not give what this needs`);
  }
  return stage === undefined || !fits(stage) ? null : name;
}
