// oxlint-disable no-control-regex -- controls are what must not be there
import { expect, test } from 'vitest';
import type { EventView } from '@drover/api';
import type { Terminal } from '../../terminal/terminal.ts';
import { renderText } from '../../terminal/style.ts';
import { workerSeen } from '@drover/api/testing';
import { eventText, statusText, workerLine } from './text.ts';

const TERMINAL = { colours: true, columns: 200 } as Terminal;
const HOSTILE = 'a\u001b[31m\u001b]52;c;eA==\u0007\u202e\nfake  connected';

test('given an event whose words are hostile, when it is told, then each stays on its line', () => {
  const event = { at: 0, worker: 'adam', said: [HOSTILE, HOSTILE], by: HOSTILE };

  const when = renderText(
    eventText(event as unknown as EventView, { terminal: { ...TERMINAL, colours: false }, named: true }),
  );

  expect(when.split('\n')).toHaveLength(2);
  expect(when).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});

test('given work that waits for review, when its worker moves, then it is shown how far that is, and once it is there what the work is', () => {
  const terminal = { ...TERMINAL, colours: false };
  const [there, onTheWay] = [null, 'moving to two: its work is on its way'].map((moving) => {
    const worker = workerSeen({ status: 'needs_review', note: 'committed "work"', moving });
    return renderText(`${statusText([worker], { now: 0, terminal, forYou: [] })}\n${workerLine(worker, { terminal })}`);
  });

  expect(there?.match(/committed "work"/gu)).toHaveLength(2);
  expect(there).not.toContain('moving');
  expect(onTheWay?.match(/moving to two: its work is on its way/gu)).toHaveLength(2);
});
