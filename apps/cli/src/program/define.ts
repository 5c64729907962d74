/** Declares commands: help, arguments and options, and the handler whose types follow from them. */
import type { Surroundings } from '../surroundings.ts';
import type { Argument, Option, Values } from './spec.ts';

/** Arguments in the order in which they are typed. */
export type Arguments = Readonly<Record<string, Argument<unknown>>>;
/** Options by their name in camel case: `promptFile` is typed `--prompt-file`. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** Help of a command for people. */
export interface Help {
  /** A line of the help. That of an everyday verb is part of \`drover --help\`, and short. */
  readonly about: string;
  /** Examples, a line for each use. */
  readonly example: string;
  /** Text of the help after the examples; a line that is too long for it is broken. */
  readonly more?: string;
  /** True if the command prints a list: it takes `--quiet` and `--wide`. */
  readonly isList?: boolean;
  /** True if the command serves others: it goes on when the reader of its output goes away. */
  readonly isServer?: boolean;
}

/** Values that commander read, before types. */
export interface Given {
  readonly args: readonly unknown[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** A declared command, with its types forgotten: the program shows its help and starts it. */
export interface DefinedCommand extends Help {
  readonly args: Arguments;
  readonly options: Options;
  /** Reads the values and runs the handler. @throws {CommandError} */
  start(surroundings: Surroundings, given: Given): Promise<void>;
}

/** Declaration of a command by a file in `commands/`. */
export interface Declaration<A extends Arguments, O extends Options> extends Help {
  readonly args?: A;
  readonly options?: O;
  /** @throws {CommandError} */
  readonly run: (
    surroundings: Surroundings,
    values: { readonly args: Values<A>; readonly options: Values<O> },
  ) => Promise<void>;
}

type None = Readonly<Record<string, never>>;

/** Declares a command once: a name that is not declared does not compile in its handler. */
export function defineCommand<A extends Arguments = None, O extends Options = None>({
  args,
  options,
  run,
  ...help
}: Declaration<A, O>): DefinedCommand {
  return {
    ...help,
    args: args ?? {},
    options: options ?? {},
    start: async (surroundings, given) => {
      const inOrder = Object.keys(args ?? {}).map((name, index) => [name, given.args[index]] as const);
      return run(surroundings, {
        args: read(args, Object.fromEntries(inOrder)),
        options: read(options, given.options),
      });
    },
  };
}

/** Parses the given values into the declared ones; no other code does. */
function read<S extends Parameters<typeof readEach>[0]>(spec: S | undefined, given: Given['options']): Values<S> {
  return readEach(spec ?? {}, given) as Values<S>;
}

function readEach(
  spec: Readonly<Record<string, { readonly read: (given: unknown, name: string) => unknown }>>,
  given: Given['options'],
): object {
  return Object.fromEntries(Object.entries(spec).map(([name, { read }]) => [name, read(given[name], dashed(name))]));
}

/** Writes `promptFile` as people type it: `prompt-file`. */
export function dashed(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
