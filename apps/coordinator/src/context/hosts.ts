/** Names that this coordinator answers to, beside loopback and the address that the connection came to. */
export interface Hosts {
  /** Listening address, as configured. */
  readonly listened: string;
  /** `coordinator.allowed_hosts`, each a name or an address, with or without a port. */
  readonly allowed: readonly string[];
  /** `coordinator.allowed_origins`, as browsers write them; absent: none. */
  readonly origins?: readonly string[];
}
