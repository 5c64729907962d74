/** The port to a mail server. */

/** What is sent: plain text to one address. */
export interface Mail {
  /** The same for the same mail, if it must be sent again: programs that read mail show it once. Absent: it is sent once. */
  readonly id?: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail. */
export interface Mailer {
  /** @throws what the server said, or why it could not be reached. */
  send(mail: Mail): Promise<void>;
}
