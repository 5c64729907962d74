/** A rejection with comments on lines: each is checked against the diff that its caller was shown, and the agent gets one text. */
import type { CommandEnvelope, ObservationBody } from '@drover/protocol';
import { expect, test } from 'vitest';
import { call, newId, obedient, scene, until } from '../support/coordinator.ts';
import type { Scene } from '../support/coordinator.ts';

const DIFF = [
  'diff --git a/src/a.ts b/src/a.ts',
  '--- a/src/a.ts',
  '+++ b/src/a.ts',
  '@@ -4,3 +4,3 @@',
  ' kept',
  '-const old = 1;',
  '+const fresh\u001b[8m = 2;',
  ' end',
  'diff --git a/--new b/--new',
  '--- /dev/null',
  '+++ b/--new',
  '@@ -0,0 +1 @@',
  '+dashes',
  '',
].join('\n');
const OTHER = 'f'.repeat(40);

/** Builds a worker whose work waits for review, on a machine that shows this diff. */
async function inReview(): Promise<{ given: Scene; url: string; asked: object[] }> {
  const given = await scene();
  const { url } = given.coordinator;
  const asked: object[] = [];
  given.machine.script = (command) => {
    if (command.body.kind === 'query' && command.body.query.kind === 'read-diff') asked.push(command.body.query);
    return obedient(command).map((body) => withDiff(body));
  };
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  await until(url, 'adam', 'idle');
  await call(url, 'workers.start', { requestId: newId(), name: 'adam', prompt: 'make it so' });
  await until(url, 'adam', 'needs_review');
  return { given, url, asked };
}

function withDiff(body: ObservationBody, changed: object = {}): ObservationBody {
  return body.kind === 'answer' && body.result.kind === 'diff'
    ? { ...body, result: { ...body.result, text: DIFF, ...changed } }
    : body;
}

const comment = (path: string, line: number, side = 'after') => ({ path, line, side, text: 'mend\nthis' });
const reject = (url: string, input: object): Promise<unknown> =>
  call(url, 'workers.reject', { requestId: newId(), name: 'adam', ...input });

test('given comments on lines of the reviewed diff, when the work is rejected, and once more as the answer was lost, then its agent gets one text with each line', async () => {
  const { given, url, asked } = await inReview();
  await using _ = given;
  const { base, head } = (await call(url, 'workers.review', {})) as { base: string; head: string };

  const input = {
    requestId: newId(),
    text: 'Nearly.',
    comments: [comment('src/a.ts', 5), comment('src/a.ts', 5, 'before'), comment('--new', 1)],
  };
  await reject(url, input);
  await until(url, 'adam', 'needs_input');

  expect(await reject(url, input)).toMatchObject({ worker: { name: 'adam' } });
  expect(textsTo(given)).toHaveLength(2);
  expect(textsTo(given).at(-1)).toBe(
    [
      `Your work (commit ${head.slice(0, 12)}) was reviewed and sent back:`,
      '',
      'Nearly.',
      '',
      'On lines of that commit, each named by file and line:',
      '',
      'src/a.ts:5: const fresh⟨U+001B⟩[8m = 2;',
      '    mend',
      '    this',
      '',
      'src/a.ts:5 before your work (you removed it): const old = 1;',
      '    mend',
      '    this',
      '',
      '--new:1: dashes',
      '    mend',
      '    this',
      '',
      'Please make the changes and commit them. Do not push to any remote.',
    ].join('\n'),
  );
  expect(asked.at(-1)).toEqual({ kind: 'read-diff', began: base, main: base, head, stat: false });
});

test('given work that was not reviewed, places that the diff does not show, or a diff that is another one by now, when lines are commented, then it is said what to do, and nothing is sent', async () => {
  const { given, url } = await inReview();
  await using _ = given;
  const comments = [comment('src/a.ts', 5)];
  const nowhere = [
    comment('src/a.ts', 4),
    comment('src/a.ts', 9),
    comment('b\u202e.ts', 1),
    comment('src/a.ts', 4, 'before'),
  ];

  await expect(reject(url, { comments })).rejects.toThrow(
    'adam: you have not reviewed its work, so line numbers have no meaning',
  );
  await call(url, 'workers.review', {});
  await expect(reject(url, { comments: nowhere })).rejects.toThrow(
    'adam: the diff that you reviewed does not show src/a.ts:9 (no such line), b⟨U+202E⟩.ts:1 (no such file), src/a.ts:-4 (no such removed line): nothing was sent',
  );
  given.machine.script = (command: CommandEnvelope) => obedient(command).map((body) => withDiff(body, { head: OTHER }));
  await expect(reject(url, { comments })).rejects.toThrow(
    'its machine has the commit ffffffffffff, but you reviewed bbbbbbbbbbbb',
  );
  await expect(reject(url, {})).rejects.toThrow('The feedback is empty');

  expect(textsTo(given)).toHaveLength(1);
});

test('given two people who reject at once, when both send, then one text goes out and the other person is told', async () => {
  const { given, url } = await inReview();
  await using _ = given;
  await call(url, 'workers.review', {});
  given.machine.script = (command) =>
    obedient(command)
      .filter((body) => body.kind !== 'screen')
      .map((body) => withDiff(body));

  const ended = await Promise.allSettled([
    reject(url, { comments: [comment('src/a.ts', 5)] }),
    reject(url, { comments: [comment('--new', 1)] }),
  ]);

  expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = ended.find((one) => one.status === 'rejected');
  expect(String(refused?.reason)).toContain('Your feedback was not sent, because somebody sent the work back first');
});

function textsTo({ machine }: Scene): string[] {
  return machine.commands.flatMap(({ body }) =>
    body.kind === 'command' && body.command.kind === 'deliver' ? [body.command.text] : [],
  );
}
