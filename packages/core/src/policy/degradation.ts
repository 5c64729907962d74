/** Defines what a run does when it loses a role for good. */

/** Rules of the loss table. Source: docs/recovery.md, degradation. */
export interface DegradationPolicy {
  /** True: an unfinished stage is used, and merged only by a person's yes. */
  readonly allowPartial: boolean;
  /** True: the review is skipped and the work marked unverified. False: a person is asked. */
  readonly continueWithoutReviewer: boolean;
  /** True: the stage of a researcher is skipped. False: a person is asked. */
  readonly continueWithoutResearcher: boolean;
}

export const DEFAULT_DEGRADATION_POLICY: DegradationPolicy = {
  allowPartial: true,
  continueWithoutReviewer: true,
  continueWithoutResearcher: false,
};
