/** A worker whose task, whose own, whose project's or whose day's budget comes to its end. */
import { expect, test } from 'vitest';
import type { AgentState } from '../../../agent-state.ts';
import { resumeText, RETURN_TEXT } from '../../../policy/texts.ts';
import { BUSY, idle, READY, working } from '../../../testing/story.ts';
import type { Story } from '../../../testing/story.ts';
import type { BudgetScope } from '../../../run/allowance.ts';

const PERMISSION: AgentState = {
  kind: 'permission',
  tool: 'Bash',
  command: 'ls',
  dialog: { kind: 'permission', title: 'May I?', body: '', options: [] },
};
const RUN = { runId: 'r1', item: 'build', attempt: 1, returns: 'commit' } as const;

function spends(story: Story, share: number, scope: BudgetScope = 'day'): Story {
  const uses = [{ scope, share, words: `${share * 100} of 100 tokens` }];
  return story.hear({ kind: 'budget-told', uses, dayEndsAt: story.now + 3_600_000 });
}

function answers(story: Story, option: string): Story {
  const incident = story.worker.incident.open?.id ?? '';
  return story.hear({ kind: 'escalation-answered', incident, option, text: null, by: 'ada' });
}

function interrupts({ commands }: Story): number {
  return commands.filter(({ kind }) => kind === 'interrupt').length;
}

/** Interrupts the agent at the end of the budget, and gives it the turn that hands back. */
function handingBack(scope: BudgetScope = 'day'): Story {
  const story = spends(working(), 1.02, scope);
  return story.answer({ kind: 'at-rest', pressed: 1 }).see(READY).delivered().see(BUSY);
}

function handedBack(scope: BudgetScope = 'day'): Story {
  return handingBack(scope).see(READY).pass('settle').checked(READY);
}

test('given four fifths of a budget are spent, when the agent works, then it is told once, and not interrupted', () => {
  const story = spends(working(), 0.81);
  expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('19 % of the budget of the day') });
  story.delivered();

  expect(spends(story, 0.85).rules).not.toContain('budget:near');
  expect(story.commands.map(({ kind }) => kind)).not.toContain('interrupt');
});

test('given a spent budget, when the agent works, then it is interrupted, has one turn to report, and a person is asked what was spent', () => {
  const story = spends(working(), 1.02);
  expect(story.last?.kind).toBe('interrupt');
  story.answer({ kind: 'at-rest', pressed: 1 }).see(READY);
  expect(story.last).toMatchObject({
    kind: 'deliver',
    text: expect.stringContaining('The budget of this work is spent'),
  });

  story.delivered().see(BUSY).see(READY).pass('settle').checked(READY);

  expect(story.worker.lifecycle.status).toBe('error');
  expect(story.records).toContainEqual(
    expect.objectContaining({
      kind: 'escalated',
      code: 'BUDGET_SPENT',
      why: 'The budget of the day is spent: 102 of 100 tokens.',
    }),
  );
  expect(story.worker.incident.open?.options.map(({ id }) => id)).toEqual(['raise', 'today', 'skip', 'take-over']);
});

test('given a turn that hands back with a commit, when it ends, then the work waits for review, and nothing more is typed', () => {
  const story = handingBack().see(READY).pass('settle').checked(READY, { head: 'bbbb', ahead: 1 });
  story.candidate().valid();
  expect(story.worker.lifecycle.status).toBe('needs_review');

  story.hear({ kind: 'reject-requested', id: 'f', text: 'mend it' });

  expect(story.worker.lifecycle.status).toBe('error');
  expect(story.worker.command.inFlight?.command.kind).not.toBe('deliver');
});

test('given an agent that goes on in the turn that hands back, when its three minutes are over, then it is interrupted again, and a person is asked', () => {
  const story = handingBack();
  const before = interrupts(story);
  expect(story.worker.deadlines['hand-back']).toBeLessThanOrEqual(story.now + story.policy.run.handBackMs);
  expect(interrupts(spends(story, 1.1))).toBe(before);

  story.pass('hand-back');

  expect(interrupts(story)).toBe(before + 1);
  expect(story.worker.lifecycle.status).toBe('error');
});

test('given a machine that is away, when it types the text that hands back late, then the turn has its three minutes from then on', () => {
  const story = spends(working(), 1.02).see(BUSY);
  story.now += 10 * story.policy.run.handBackMs;
  story.answer({ kind: 'at-rest', pressed: 1 }).see(READY);
  expect(spends(story, 1.1).worker.deadlines['hand-back']).toBeUndefined();
  const before = interrupts(story);

  story.delivered().see(BUSY);

  expect(story.worker.deadlines['hand-back']).toBeGreaterThan(story.now + story.policy.run.handBackMs - 1_000);
  expect(interrupts(spends(story, 1.2))).toBe(before);
});

test('given a prompt that is being typed, when the budget is spent, then its turn is interrupted, and the answer of a person gives the task again', () => {
  const story = idle().hear({ kind: 'start-requested', taskId: 't1', prompt: 'do it', text: 'do it' });
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
  expect(story.worker.command.inFlight?.command.kind).toBe('deliver');
  spends(story, 1).delivered().see(BUSY);

  expect(story.last?.kind).toBe('interrupt');
  expect(story.worker.lifecycle.status).toBe('error');
  answers(story.answer({ kind: 'at-rest', pressed: 1 }), 'raise').checked(READY, {}, { kind: 'absent' });
  expect(story.last).toMatchObject({ kind: 'deliver', text: 'do it' });
});

test('given an agent that waits for leave, when the budget is spent, then its turn is interrupted once it goes on', () => {
  const story = working().see(PERMISSION);
  expect(story.worker.lifecycle.status).toBe('needs_input');
  expect(interrupts(spends(story, 1))).toBe(0);

  story.see(BUSY);

  expect(interrupts(story)).toBe(1);
  expect(story.worker.budget.mark.kind).toBe('handing-back');
});

test('given texts of people that wait, when the budget is spent, then they are kept, and go out once a person raises it', () => {
  const story = working().hear({ kind: 'message-requested', id: 'a', text: 'first' });
  story.hear({ kind: 'message-requested', id: 'b', text: 'and the second' });
  spends(story, 1).delivered().answer({ kind: 'at-rest', pressed: 1 }).see(READY).delivered().see(BUSY);
  expect(story.commands.filter(({ kind }) => kind === 'deliver').at(-1)).toMatchObject({ text: RETURN_TEXT });
  story.see(READY).pass('settle').checked(READY);
  expect(story.worker.incident.open?.held.map(({ text }) => text)).toEqual(['and the second']);

  answers(story, 'raise');

  expect(story.last).toMatchObject({ kind: 'deliver', text: 'and the second' });
});

test('given texts of people that wait, when the turn that hands back ends with a commit, then a person is asked about the budget before anybody reviews it', () => {
  const story = working().hear({ kind: 'message-requested', id: 'a', text: 'first' });
  story.hear({ kind: 'message-requested', id: 'b', text: 'and the second' });
  spends(story, 1).delivered().answer({ kind: 'at-rest', pressed: 1 }).see(READY).delivered().see(BUSY);

  story.see(READY).pass('settle').checked(READY, { head: 'bbbb', ahead: 1 });

  expect(story.worker.incident.open).toMatchObject({ code: 'BUDGET_SPENT', held: [{ text: 'and the second' }] });
  answers(story, 'raise');
  expect(story.last).toMatchObject({ kind: 'deliver', text: 'and the second' });
});

test('given a budget that has room before its agent is told, when it goes on, then the text that hands back is not typed', () => {
  const story = spends(working(), 1.02);
  spends(story, 0.1);
  story.answer({ kind: 'at-rest', pressed: 1 }).see(READY);

  expect(story.worker.budget.mark.kind).toBe('open');
  expect(story.last).toMatchObject({ kind: 'deliver', text: resumeText() });
});

test('given a leave for today that is over, when uses are told, then it is forgotten', () => {
  const story = answers(handedBack('project'), 'today');
  story.now += 4_000_000;

  expect(spends(story, 0.1, 'project').worker.budget.allowed).toEqual({});
});

test.each(['worker', 'project', 'day'] as const)(
  'given the spent budget of a %s, when a task is given, then it is not typed, and the status says why at once',
  (scope) => {
    const story = spends(idle(), 1, scope);
    const typed = story.commands.length;
    story.hear({ kind: 'start-requested', taskId: 't1', prompt: 'do it', text: 'do it' });

    expect(story.reply).toEqual({ kind: 'accepted' });
    expect(story.worker.lifecycle).toMatchObject({
      status: 'error',
      note: `The budget of the ${scope} is spent: 100 of 100 tokens.`,
    });
    expect(story.commands.slice(typed).map(({ kind }) => kind)).not.toContain('deliver');
  },
);

test('given a person that raises the budget, when the rest is spent too, then it is asked again, and not before', () => {
  const story = handedBack();
  answers(story, 'raise');
  expect(story.worker.lifecycle.status).toBe('working');
  expect(story.last).toMatchObject({ kind: 'deliver' });
  story.delivered().see(BUSY);

  expect(spends(story, 1.1).rules).not.toContain('budget:spent');
  expect(spends(story, 1.53).rules).toContain('budget:spent');
});

test('given a person that lets it go on today, when the day is over, then the budget counts again', () => {
  const story = handedBack('project');
  answers(story, 'today');
  story.delivered().see(BUSY);
  expect(spends(story, 40, 'project').rules).not.toContain('budget:spent');

  story.now += 4_000_000;

  expect(spends(story, 40, 'project').rules).toContain('budget:spent');
});

test('given a task that waits for the next day, when that has come, then it goes on by itself, and the question is closed', () => {
  const story = spends(idle(), 1);
  story.hear({ kind: 'start-requested', taskId: 't1', prompt: 'do it', text: 'do it' });

  spends(story, 0);

  expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalation-closed', how: 'resolved' }));
  expect(story.worker.lifecycle.status).toBe('working');
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
  expect(story.last).toMatchObject({ kind: 'deliver', text: 'do it' });
});

test('given a spent budget of its task, when the next task is given, then that one is typed', () => {
  const story = handedBack('task');
  answers(story, 'skip');
  expect(story.worker.lifecycle.status).toBe('idle');

  story.hear({ kind: 'start-requested', taskId: 't2', prompt: 'more', text: 'more' });

  expect(story.worker.lifecycle.status).toBe('working');
});

test('given a message to a worker whose budget is spent, when it comes, then it is kept and not typed', () => {
  const story = handedBack();
  const typed = story.commands.length;

  story.hear({ kind: 'message-requested', id: 'm', text: 'go on' });

  expect(story.worker.lifecycle.status).toBe('error');
  expect(story.commands.slice(typed).map(({ kind }) => kind)).not.toContain('deliver');
  expect(story.worker.incident.open?.held.map(({ text }) => text)).toContain('go on');
});

test('given a message to an agent that hands back, when its turn ends, then a person is asked about the budget, and the message goes out after a raise', () => {
  const story = handingBack();
  const typed = story.commands.length;

  story.hear({ kind: 'message-requested', id: 'm', text: 'go on' });
  story.see(READY).pass('settle').checked(READY);

  expect(story.commands.slice(typed).map(({ kind }) => kind)).not.toContain('deliver');
  expect(story.worker.incident.open).toMatchObject({ code: 'BUDGET_SPENT', held: [{ text: 'go on' }] });
  answers(story, 'raise');
  expect(story.last).toMatchObject({ kind: 'deliver', text: 'go on' });
});

test('given the task of a run, when the day is spent, then its run decides, and the worker asks nobody', () => {
  const story = idle().hear({ kind: 'start-requested', taskId: 't1', prompt: 'p', text: 'p', run: RUN });

  spends(story, 1);

  expect(story.worker.lifecycle.status).toBe('working');
  expect(story.worker.incident.open).toBeNull();
});

test('given an agent that has not taken its task of a run, when the run interrupts it, then the task is in the text of the turn that hands back', () => {
  const story = idle().hear({ kind: 'start-requested', taskId: 't1', prompt: 'p', text: 'make it so', run: RUN });

  story.hear({ kind: 'run-turn-requested', id: 'm2', text: 'report', run: RUN, handBack: true });

  expect(story.worker.mailbox).toMatchObject({ current: { text: 'make it so\n\nreport' }, waiting: [] });
});
