// The plan of a recovery names the task that the agent is given, and the task that it loses.
import { expect, test } from 'vitest';
import { taskStep } from './recover-steps.ts';

const NOW = { id: 'b', prompt: 'Mend the gate\nand the fence' };

test('given a checkpoint of the task in hand, when the plan is told, then the task is given again', () => {
  expect(taskStep(NOW, { taskId: 'b', prompt: NOW.prompt })).toBe('give it the task again: "Mend the gate"');
});

test('given a checkpoint of another task, when the plan is told, then both are named', () => {
  expect(taskStep(NOW, { taskId: 'a', prompt: 'Count the sheep' })).toBe(
    'give it the task of the checkpoint: "Count the sheep"; its present task ends: "Mend the gate"',
  );
});

test('given a checkpoint that was made without a task, when the plan is told, then the task in hand stays', () => {
  expect(taskStep(NOW, { taskId: null, prompt: null })).toBe('give it the task again: "Mend the gate"');
});

test('given a worker without a task, when the plan is told, then it is given that of the checkpoint', () => {
  expect(taskStep(null, { taskId: 'a', prompt: 'Count the sheep' })).toBe('give it the task again: "Count the sheep"');
});
