/** An accept merges the reviewed work alone: commits that come after a review, and the reviews of others. */
import { expect } from 'vitest';
import { committing, type Scenario } from '../support/scenario.ts';
import { Scene } from '../support/scene.ts';

/** Scenarios of workflow.test.ts, where no other scenario merges. */
export const REVIEWS: readonly Scenario[] = [
  {
    section: 'Merge',
    seen: 'a commit that came after the review',
    done: 'Nothing is merged; the work waits for another review, with a note that says what came',
    title:
      'given a commit that came after the review, when the work is accepted, then it is merged only after another review, and not after a review by a viewer',
    worker: 'sneaked',
    others: ['bystander'],
    prompt: committing('shown to a person'),
    act: async (scene) => {
      const bystander = new Scene(scene.stand, { worker: 'bystander' });
      await bystander.begin(committing('shown to a viewer'));
      await Promise.all([scene, bystander].map((one) => one.reach('needs_review')));
      const [ann, vic] = [await scene.tokenOf('ann', 'operator'), await scene.tokenOf('vic', 'viewer')];
      expect((await scene.droverAs(ann, 'review', 'sneaked')).stdout).toContain('shown to a person');
      scene.stand.site.git(scene.worktree, 'commit', '-q', '--allow-empty', '-m', 'Sneak');

      const refused = scene.droverAs(ann, 'accept', 'sneaked');

      await expect(refused).rejects.toThrow(
        /sneaked: not merged: 1 commit came after .* Sneak: run "drover review sneaked" again/u,
      );
      expect(mergedSubjects(scene)).not.toContain('shown to a person');

      expect((await scene.droverAs(ann, 'review', 'sneaked')).stdout).toContain('Sneak');
      await scene.droverAs(vic, 'review', 'bystander');
      await scene.droverAs(ann, 'accept');

      expect(mergedSubjects(scene)).toContain('shown to a person');
      expect((await bystander.view())?.status).toBe('needs_review');
    },
    end: {
      status: 'idle',
      note: /its work was merged/u,
      errors: {},
      rules: ['commit-found', 'accept', 'accept:changed', 'accept:stopped', 'accept', 'accept:merged', 'accept:done'],
      why: /1 commit came after what was reviewed/u,
      commits: [],
    },
  },
];

/** Lists subjects of the commits on the default branch of the source. */
function mergedSubjects({ stand: { site } }: Scene): readonly string[] {
  return site.git(site.source, 'log', '--format=%s', 'main').split('\n');
}
