/** Names that this coordinator answers to beside loopback and the address that the connection came to. */
export interface Hosts {
  /** The address listened on, as the configuration has it. */
  readonly listened: string;
  /** `coordinator.allowed_hosts`, each a name or an address, with a port or without. */
  readonly allowed: readonly string[];
  /** `coordinator.allowed_origins`, as browsers write them; absent: none. */
  readonly origins?: readonly string[];
}
