/** `/drover` in a chat: each verb asks the use case of the terminal, as the person, with no more rights than the bot's token has. X10. */
import type { Actor, BotCall, Outcome, RequestView, ReviewView, WorkerView } from '@drover/api';
import type { CommandRequest } from '@drover/protocol';
import { describe, expect, test } from 'vitest';
import { chatCommand } from '../../src/use-cases/channels/commands.ts';
import type { CommandFleet } from '../../src/use-cases/channels/commands.ts';
import { person } from '../support/actors.ts';
import { contextOf, inMemory, Nature } from '../support/scene.ts';

const ADAM = { name: 'adam', status: 'needs_review', note: 'committed "Fix it"' } as WorkerView;
const HEAD = '0123456789abcdef0123456789abcdef01234567';
const REVIEW = {
  worker: ADAM,
  head: HEAD,
  commits: [{ commit: HEAD, subject: 'Fix it', author: 'a' }],
  diff: 'a.ts | +1 -0',
  notes: [],
  work: { checks: { result: 'passed' } },
} as unknown as ReviewView;

/** Fakes a fleet that notes each request and its caller. */
function listener(): { readonly asked: string[]; readonly fleet: CommandFleet } {
  const asked: string[] = [];
  const note = (verb: string, input: object, { name, role, via, place }: Actor): void => {
    const given = Object.entries(input).filter(([key]) => key !== 'requestId');
    asked.push(
      `${verb} ${JSON.stringify(Object.fromEntries(given))} by ${name} (${role}) via ${via ?? ''} at ${place ?? ''}`,
    );
  };
  const ok = { kind: 'ok', value: { worker: ADAM } as RequestView } as const satisfies Outcome<RequestView>;
  const fleet: CommandFleet = {
    listWorkers: () => Promise.resolve([ADAM]),
    listEscalations: () => Promise.resolve([]),
    start: (input, by) => (note('start', input, by), Promise.resolve(ok)),
    message: (input, by) => (note('message', input, by), Promise.resolve(ok)),
    accept: (input, by) => (note('accept', input, by), Promise.resolve(ok)),
    review: (input, by) => (note('review', input, by), Promise.resolve({ kind: 'ok', value: REVIEW })),
  };
  return { asked, fleet };
}

type Role = 'viewer' | 'responder' | 'operator';

/** Builds a person of this role, by a bot of that one, in a chat that is linked to them. */
async function speaking(roles: { readonly person: Role; readonly bot: Role }) {
  const stored = await inMemory();
  const nature = new Nature();
  const ctx = contextOf(stored.open(), nature);
  const id = nature.uuid();
  await ctx.store.transaction(async (tx) => {
    await tx.insertPerson({ id, name: 'ada', role: roles.person, projectId: null, createdAt: 1 });
    await tx.saveIdentity({ channel: 'telegram', subject: '7', personId: id, linkedAt: 1 });
  });
  const by: Actor = { ...person('bot'), kind: 'bot', role: roles.bot, channels: ['telegram'] };
  const call: BotCall = { channel: 'telegram', by };
  const { asked, fleet } = listener();
  const say = (words: string, patch: Partial<CommandRequest> = {}) =>
    chatCommand(ctx, fleet, { call, command: { key: nature.uuid(), subject: '7', address: '7', words, ...patch } });
  return { say, asked, ctx };
}

const BY_ADA = 'by ada (operator) via bot at telegram:7';

describe('commands of a chat', () => {
  test.each([
    ['start adam Fix it', `start {"name":"adam","prompt":"Fix it"} ${BY_ADA}`],
    ['start Fix it now', `start {"prompt":"Fix it now"} ${BY_ADA}`],
    ['message adam Use the other port', `message {"name":"adam","text":"Use the other port"} ${BY_ADA}`],
    ['review adam', `review {"name":"adam","stat":true} ${BY_ADA}`],
    ['review', `review {"stat":true} ${BY_ADA}`],
    ['accept adam', `accept {"name":"adam"} ${BY_ADA}`],
  ])(
    'given an operator by a bot for operators, when they say "%s", then the use case is asked as them',
    async (words, expected) => {
      const { say, asked } = await speaking({ person: 'operator', bot: 'operator' });

      const answer = await say(words);

      expect(asked).toEqual([expected]);
      expect(answer).toMatchObject({ isDone: true });
      expect(answer.says).toContain('adam');
    },
  );

  test('given a review of work that waits for a judgement, then it has the commits, the checks and a button for exactly that head', async () => {
    const { say } = await speaking({ person: 'viewer', bot: 'responder' });

    const { says, buttons } = await say('review adam');

    expect(says).toContain('012345678 Fix it');
    expect(says).toContain('Checks: passed');
    expect(buttons).toEqual([{ label: 'Accept 012345678', button: { kind: 'accept', worker: 'adam', head: HEAD } }]);
  });

  test.each([
    [{ person: 'operator', bot: 'responder' }, 'this bot allows at most responder'],
    [{ person: 'responder', bot: 'operator' }, 'ada has the role responder'],
    [{ person: 'viewer', bot: 'operator' }, 'ada has the role viewer'],
  ] as const)(
    'X10: given the roles %o, when they give work, then it is refused with the reason, and nothing is asked',
    async (roles, reason) => {
      const { say, asked, ctx } = await speaking(roles);

      const answers = [
        await say('start adam x'),
        await say('message adam x'),
        await say('accept adam'),
        await say('here'),
      ];

      for (const answer of answers) {
        expect(answer.isDone).toBe(false);
        expect(answer.says).toContain(reason);
      }
      expect(asked).toEqual([]);
      expect(await ctx.store.listPlaces()).toEqual([]);
      expect((await say('status')).says).toContain('adam: needs_review');
    },
  );

  test.each([
    ['', /\/drover status/u],
    ['help', /\/drover accept/u],
    ['fly away', /There is no command "\/drover fly"/u],
    ['constructor', /There is no command "\/drover constructor"/u],
    ['start', /The prompt is missing/u],
    ['start adam', /The prompt is missing/u],
    ['message adam', /The worker or the text is missing/u],
  ])('given the words "%s", then the answer says what there is, and nothing is asked', async (words, expected) => {
    const { say, asked } = await speaking({ person: 'operator', bot: 'operator' });

    expect((await say(words)).says).toMatch(expected);
    expect(asked).toEqual([]);
  });

  test('given somebody who is not linked, and uses the name of one who is, then the answer says how to be', async () => {
    const { say, asked } = await speaking({ person: 'operator', bot: 'operator' });

    const answer = await say('start adam x', { subject: 'ada' });

    expect(answer.says).toContain('drover user link');
    expect(asked).toEqual([]);
  });

  test('X14: given words with a secret and control sequences, when the answer repeats them, then it has neither', async () => {
    const { say } = await speaking({ person: 'operator', bot: 'operator' });
    const secret = `ghp_${'a1B2c3D4'.repeat(5)}`.slice(0, 40);

    const { says } = await say(`\u001B[31m${secret}`);

    expect(says).not.toContain(secret);
    expect(says).not.toContain('\u001B');
  });
});
