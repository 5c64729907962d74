/** Tests that the types of a handler follow from its command's declaration. The compiler reads this file: a wrong type fails it. */
import { expect, expectTypeOf, test } from 'vitest';
import type { Surroundings } from '../surroundings.ts';
import { dashed, defineCommand } from './define.ts';
import { choice, count, enabled, flag, optional, required, rest, span, text } from './spec.ts';

const HELP = { about: '', example: '' };
const NOWHERE = {} as Surroundings;

test('given a declaration, when its handler reads options and arguments, then each has its own type', async () => {
  let received: unknown;
  const command = defineCommand({
    ...HELP,
    args: { name: required(''), worker: optional(''), words: rest('') },
    options: {
      project: text('name', ''),
      dir: text('dir', '', { default: 'screens' }),
      label: text('label', '', { isRequired: true }),
      how: choice('how', '', ['diff', 'stat']),
      limit: count('count', '', { min: 1, max: 9, default: 5 }),
      port: count('port', '', { min: 0, max: 65_535 }),
      since: span(''),
      dryRun: flag(''),
      wait: enabled(''),
    },
    run(_, { args, options }) {
      received = { ...args, ...options };
      expectTypeOf(args).toEqualTypeOf<{
        readonly name: string;
        readonly worker: string | undefined;
        readonly words: readonly string[];
      }>();
      expectTypeOf(options).toEqualTypeOf<{
        readonly project: string | undefined;
        readonly dir: string;
        readonly label: string;
        readonly how: 'diff' | 'stat';
        readonly limit: number;
        readonly port: number | undefined;
        readonly since: number | undefined;
        readonly dryRun: boolean;
        readonly wait: boolean;
      }>();
      return Promise.resolve();
    },
  });

  await command.start(NOWHERE, {
    args: ['adam', undefined, ['a', 'b']],
    options: { label: 'x', how: 'stat', since: '2h', dryRun: true, json: true },
  });

  expect(received).toEqual({
    name: 'adam',
    worker: undefined,
    words: ['a', 'b'],
    project: undefined,
    dir: 'screens',
    label: 'x',
    how: 'stat',
    limit: 5,
    port: undefined,
    since: 7_200_000,
    dryRun: true,
    wait: true,
  });
});

test('given a name that is not declared, when a handler reads it, then it does not compile', async () => {
  const command = defineCommand({
    ...HELP,
    args: { worker: required('') },
    options: { project: text('name', '') },
    run(_, { args, options }) {
      // @ts-expect-error -- no option has this name
      expect(options.projct).toBeUndefined();
      // @ts-expect-error -- no argument has this name
      expect(args.name).toBeUndefined();
      // @ts-expect-error -- it may not be given
      expect(options.project?.length).toBe(options.project.length);
      return Promise.resolve();
    },
  });

  await command.start(NOWHERE, { args: ['adam'], options: { project: 'shop' } });
});

test('given a command without options, when its handler reads one, then it does not compile', async () => {
  const command = defineCommand({
    ...HELP,
    run(_, { options }) {
      // @ts-expect-error -- nothing is declared
      expect(options.all).toBeUndefined();
      return Promise.resolve();
    },
  });

  await command.start(NOWHERE, { args: [], options: {} });
});

test('given the name of an option, when it is typed, then its words are dashed', () => {
  expect(dashed('promptFile')).toBe('prompt-file');
  expect(dashed('all')).toBe('all');
});
