// oxlint-disable no-control-regex -- controls are what must not be there
import { expect, test } from 'vitest';
import type { EventView, WhyView } from '@drover/api';
import type { Terminal } from '../../terminal/terminal.ts';
import { renderText } from '../../terminal/style.ts';
import { workerSeen } from '@drover/api/testing';
import { eventText, statusText, whyText, workerLine } from './text.ts';

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

test('given work that waits for review, when a person asks why, then four lines say the state, the reason, the next command and where the rest is', () => {
  const worker = workerSeen({ status: 'needs_review', note: 'committed 3 files' });

  expect(
    linesOfWhy({ worker, last: event('a turn ended'), because: ['the screen shows no work', 'and more'] }),
  ).toEqual([
    'adam is needs_review: committed 3 files',
    expect.stringMatching(/^Why   \d\d:\d\d:\d\d the screen shows no work$/u),
    'Next  its work waits for you: drover review adam, then drover accept adam or drover reject adam "…"',
    'All decisions and deliveries: drover why adam --all',
  ]);
});

test('given an open question, when a person asks why, then the next step is to answer it, whatever else follows', () => {
  const worker = workerSeen({ status: 'needs_input' });
  const escalation = { title: 'Which port?', shortId: '1a2b' };

  expect(linesOfWhy({ worker, escalation, next: [{ at: 1_000, name: 'stuck', meaning: 'no progress' }] })).toContain(
    'Next  a question waits for your answer (Which port?): drover escalation show 1a2b',
  );
});

test.each([
  [
    'a deadline is armed',
    { next: [{ at: 0, name: 'stuck', meaning: 'no progress' }] },
    /^Next  \S+ stuck: no progress$/u,
  ],
  ['nothing is armed', {}, /^Next  nothing until the screen changes$/u],
  [
    'its machine works',
    { inFlight: { command: 'checkpoint', since: 0 } },
    /^Next  its machine is running "checkpoint" \(since /u,
  ],
] as const)(
  'given that %s and nothing to do for a person, when a person asks why, then the page says so',
  (_given, why, next) => {
    const worker = workerSeen({ status: 'working' });

    expect(linesOfWhy({ worker, ...why })).toContainEqual(expect.stringMatching(next));
  },
);

test('given a decision without a reason, when a person asks why, then the event stands for it', () => {
  expect(linesOfWhy({ worker: workerSeen(), last: event('a person sent a message') })[1]).toMatch(
    /^Why   \S+ a person sent a message$/u,
  );
});

test('given no decision yet, when a person asks why, then the page has no reason', () => {
  expect(linesOfWhy({ worker: workerSeen() })[1]).toMatch(/^Next {2}/u);
});

function event(said: string): EventView {
  return { at: 0, worker: 'adam', said: [said, 'and what followed'], by: null } as unknown as EventView;
}

function linesOfWhy(why: object): readonly string[] {
  const nothing = { last: null, because: [], inFlight: null, next: [], escalation: null };
  const page = { now: 0, terminal: { ...TERMINAL, colours: false } };
  return renderText(whyText({ ...nothing, ...why } as unknown as WhyView, page)).split('\n');
}
