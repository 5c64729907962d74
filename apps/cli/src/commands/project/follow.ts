/** The option by which a default branch stays up to date, as messages offer it if the branch lags. */
export const FOLLOW_OFFER = 'With follow = "upstream" in [repo] of drover.toml Drover brings it up to date';
