// Checks the promises about gateways: one serves a host at a time, and one that was replaced types, starts and writes nothing there.
import type { MemoryDatabase } from '@drover/store/testing';
import type { EventRow, Machine } from '@drover/store';
import { HOST_LEASES } from '../../coordinator/policy.ts';
import { count, makeCheck } from '../../runs/tally.ts';
import type { Check, Tally } from '../../runs/tally.ts';

const PROMISED = {
  lease: 'a gateway takes a host only when no other has its lease, or the other does not reach it',
  epoch: 'the epoch of a host rises with each gateway that takes it, and never falls',
  newest: 'a host does only what the newest of its gateways says',
  only: 'a host that is for one gateway alone is taken by no other',
  revoked: 'a gateway that is revoked has no lease',
  key: 'a gateway logs in only where a key is pinned, and only a person changes which one',
  exit: 'the end of each program is decided on once',
} as const;

/** Clocks of replicas may be wrong by so much, in milliseconds: a lease is as long as both think. */
const CLOCKS_MS = 11_000;

export interface GatewayParts {
  readonly database: MemoryDatabase;
  readonly tally: Tally;
  readonly now: () => number;
  /** Tells whether each commit is seen by itself: of two that are seen at once the first may have given the lease back. */
  readonly isExact: boolean;
}

/** Watches one schedule. */
export class GatewayChecks {
  readonly #parts: GatewayParts;
  readonly #rows = new Map<string, Machine>();
  /** The highest epoch that came to each host. */
  readonly #epochs = new Map<string, number>();
  readonly #exits = new Set<string>();
  /** Keys that were pinned ever, and those that a person has confirmed, by host. */
  readonly #pinned = new Map<string, Set<string>>();
  readonly #trusted = new Map<string, Set<string>>();
  readonly #check: Check<typeof PROMISED>;

  constructor(parts: GatewayParts) {
    this.#parts = parts;
    this.#check = makeCheck(this.#parts.tally, PROMISED);
  }

  /** Checks each commit. */
  committed(): void {
    for (const machine of this.#parts.database.machines.values()) {
      const before = this.#rows.get(machine.id);
      if (before === machine || machine.ssh === null) continue;
      this.#rows.set(machine.id, machine);
      if (before?.ssh != null) this.#checkTaken(before.ssh, machine.ssh, machine.name);
      this.#checkGateway(machine.ssh, machine.name);
      this.#checkPinned(machine.ssh, machine.name);
    }
  }

  /** A gateway has shown itself to a host, and the host its key. */
  loggedIn(host: string, key: string): void {
    this.#check('key', this.#pinned.get(host)?.has(key) === true, `${host}: a gateway logs in where ${key} is shown`);
  }

  /** A person is about to confirm a key. */
  confirms(host: string, key: string): void {
    this.#trusted.set(host, new Set([...(this.#trusted.get(host) ?? []), key]));
  }

  claimed(host: string, epoch: number): void {
    if (this.#epochs.has(host))
      count(this.#parts.tally.faults, 'note: a host came to another gateway, or to one again');
    this.#epochs.set(host, epoch);
  }

  /** Tells whether no gateway with a higher epoch has come to a host. */
  isNewest(host: string, epoch: number | undefined): boolean {
    return epoch === undefined || epoch >= (this.#epochs.get(host) ?? 0);
  }

  actedBy(host: string, epoch: number): void {
    const newest = this.#epochs.get(host);
    this.#check(
      'newest',
      this.isNewest(host, epoch),
      `${host}: a gateway with the epoch ${epoch} acts, and one with ${newest} was here`,
    );
  }

  fenced(host: string, epoch: number): void {
    this.#parts.tally.fault('note: a gateway that was replaced is held back', `${host} epoch ${epoch}`);
  }

  /** A decision was stored. */
  checkExit({ event, rules, workerName }: Pick<EventRow, 'event' | 'rules' | 'workerName'>): void {
    if (event.kind !== 'pane-exited' || !rules.some((rule) => rule.startsWith('exit:'))) return;
    const { incarnation } = event.exit;
    this.#check('exit', !this.#exits.has(incarnation), `${workerName}: the end of ${incarnation} is decided on twice`);
    this.#exits.add(incarnation);
  }

  #checkTaken(was: NonNullable<Machine['ssh']>, is: NonNullable<Machine['ssh']>, name: string): void {
    this.#check('epoch', is.epoch >= was.epoch, `${name}: its epoch fell from ${was.epoch} to ${is.epoch}`);
    const isTaken = is.gateway !== null && is.gateway.id !== was.gateway?.id;
    if (!isTaken) return;
    const { gateway, away } = was;
    const now = this.#parts.now() + CLOCKS_MS;
    // A gateway that does not reach the host lets others try, after a while (docs/adr/0013).
    const isGivenUp = away != null && now - away.since >= HOST_LEASES.suspectAfterMs * 2 ** away.tries;
    const isFree = gateway === null || gateway.until <= now || isGivenUp;
    const mayTake = isFree || !this.#parts.isExact;
    this.#check('lease', mayTake, `${name}: is taken by ${is.gateway?.name}, and ${gateway?.name} has its lease`);
    this.#check(
      'epoch',
      is.epoch > was.epoch,
      `${name}: is taken under the epoch ${is.epoch}, as by the gateway before`,
    );
    if (gateway !== null) count(this.#parts.tally.faults, 'note: a gateway takes over from another');
  }

  #checkGateway({ gateway, onlyGateway }: NonNullable<Machine['ssh']>, name: string): void {
    if (gateway === null) return;
    this.#check(
      'only',
      onlyGateway === null || onlyGateway.id === gateway.id,
      `${name}: is taken by ${gateway.name}, and is for ${onlyGateway?.name} alone`,
    );
    const isRevoked = this.#parts.database.machines.get(gateway.id)?.revokedAt != null;
    this.#check('revoked', !isRevoked, `${name}: has the gateway ${gateway.name}, which is revoked`);
  }

  #checkPinned({ pinned }: NonNullable<Machine['ssh']>, name: string): void {
    const before = this.#pinned.get(name);
    for (const key of pinned) {
      const isKnown = before === undefined || before.has(key) || this.#trusted.get(name)?.has(key) === true;
      this.#check('key', isKnown, `${name}: ${key} is pinned, which no person has confirmed`);
    }
    if (pinned.length > 0) this.#pinned.set(name, new Set([...(before ?? []), ...pinned]));
  }
}
