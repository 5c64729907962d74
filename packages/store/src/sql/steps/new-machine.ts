// The row of a machine at its beginning.

/** Facts of a machine that has said no hello. */
export const NEW_MACHINE = {
  facts: null,
  places: null,
  accessTokenSha256: null,
  accessTokenExpiresAt: null,
  dialledUrl: null,
  revokedAt: null,
  rotateSince: null,
  cordon: null,
  labels: [],
  capacity: null,
  address: null,
  condition: null,
  ssh: null,
  agentEpoch: null,
  version: null,
  lastSeenAt: null,
};
