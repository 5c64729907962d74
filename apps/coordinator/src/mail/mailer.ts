/** Mail goes out by SMTP, as `nodemailer` speaks it. */
import { createTransport } from 'nodemailer';

/** What is sent: plain text to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail. */
export interface Mailer {
  /** @throws what the server said, or why it could not be reached. */
  send(mail: Mail): Promise<void>;
}

/** How long a server may take for each step, in milliseconds. */
const STEP_MS = 10_000;

/** Where mail goes out, such as `smtps://drover:secret@mail.example.com`, and in whose name. */
export interface MailSettings {
  readonly url: string;
  readonly from: string;
}

/** A server that refuses encryption gets no password: nodemailer demands TLS for `smtps`, and takes STARTTLS where it is offered. */
export function createMailer({ url, from }: MailSettings): Mailer {
  const limits = { connectionTimeout: STEP_MS, greetingTimeout: STEP_MS, socketTimeout: STEP_MS };
  const { protocol, hostname, port, username, password } = new URL(url);
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/gu, ''),
    port: port === '' ? (protocol === 'smtps:' ? 465 : 587) : Number(port),
    secure: protocol === 'smtps:',
    // A password is not sent in clear text.
    requireTLS: protocol === 'smtp:' && username !== '',
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...limits,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, subject, text }) => {
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
    },
  };
}
