/** Trust in tools that run a directory's commands only if somebody has allowed it. */

/** Kinds of trust. Each is the name of its tool. */
export const TRUST_KINDS = ['direnv', 'mise'] as const;

export type TrustKind = (typeof TRUST_KINDS)[number];

/** A person's decision on each kind. Absent: not decided yet. */
export type Trust = Readonly<Partial<Record<TrustKind, boolean>>>;

/** A file of a place that a tool runs only if trusted, and about which nobody has decided. */
export interface Untrusted {
  readonly kind: TrustKind;
  /** The path in the place. */
  readonly file: string;
}

/** Words the untrusted file as a sentence, with the remedy. */
export function tellUntrusted({ kind, file }: Untrusted): string {
  return `${kind} ignores "${file}" until it is trusted: "drover project trust PROJECT ${kind}" trusts it for all workers of the project; add --no to leave it untrusted without this notice.`;
}
