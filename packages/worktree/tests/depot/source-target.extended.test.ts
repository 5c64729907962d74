import type { Git } from '../../src/index.ts';
import { makeYard } from '../support.ts';
import { placeIn } from './support.ts';
import { describeTarget } from './target-contract.ts';

function isMove(args: readonly string[]): boolean {
  return args.includes('update-ref') && args.includes('refs/heads/main');
}

/** Git that is killed where it would move the default branch: before that, or after it. */
function dying(git: Git, { after }: { after: boolean }): Git {
  return {
    ...git,
    run: async (program, args, options) => {
      if (!isMove(args)) return git.run(program, args, options);
      if (after) await git.run(program, args, options);
      throw new Error('killed');
    },
  };
}

describeTarget('source', async () => {
  const yard = await makeYard();
  return {
    yard,
    place: placeIn(yard),
    main: () => yard.sh(yard.source, 'rev-parse', 'main'),
    advance: (files) => yard.commit(yard.source, files, 'by somebody else'),
    dyingBeforeMove: (git) => dying(git, { after: false }),
    dyingAfterMove: (git) => dying(git, { after: true }),
    [Symbol.asyncDispose]: () => yard[Symbol.asyncDispose](),
  };
});
