/** Declares the port to a mail server. */

/** A mail: plain text to one address. */
export interface Mail {
  /** Id that stays the same when the same mail is sent again, so that mail programs show the mail once. Absent: the mail is sent once. */
  readonly id?: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** @throws the server's answer, or the reason why the server could not be reached. */
  send(mail: Mail): Promise<void>;
}
