/** Sends mail by SMTP with `nodemailer`. */
import { Socket } from 'node:net';
import type { Clock } from '@drover/base';
import { createTransport } from 'nodemailer';
import type { Mailer } from '../context/mailer.ts';

/** Milliseconds in which a server must accept the connection and greet. */
const GREETING_MS = 10_000;
/** Milliseconds of silence that a server may take: servers scan for viruses before they confirm a mail. */
const SILENT_MS = 80_000;
/** Milliseconds for a whole mail: a slow server may send a byte now and then without exceeding any single limit. */
export const WHOLE_MS = 90_000;

/** Mail server, such as `smtps://drover:secret@mail.example.com`, and the sender's address. */
export interface MailSettings {
  readonly url: string;
  readonly from: string;
}

/**
 * Creates a mailer. A server that refuses encryption gets no password: nodemailer demands TLS for `smtps`, and takes STARTTLS where it is
 * offered.
 */
export function createMailer({ url, from }: MailSettings, clock: Pick<Clock, 'after'>): Mailer {
  const limits = {
    connectionTimeout: GREETING_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENT_MS,
  };
  const { protocol, hostname, port, username, password } = new URL(url);
  const options = {
    host: hostname.replace(/^\[|\]$/gu, ''),
    port: port === '' ? (protocol === 'smtps:' ? 465 : 587) : Number(port),
    secure: protocol === 'smtps:',
    // A password is not sent in clear text.
    requireTLS: protocol === 'smtp:' && username !== '',
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...limits,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return {
    send: async ({ id, to, subject, text }) => {
      const socket = new Socket();
      const late = Promise.withResolvers<never>();
      const cancel = clock.after(WHOLE_MS, () =>
        late.reject(new Error(`The mail server did not accept the mail within ${WHOLE_MS / 1_000} s`)),
      );
      try {
        const sending = createTransport({ ...options, socket }).sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          ...(id !== undefined && { messageId: `<${id}@drover>` }),
        });
        await Promise.race([sending, late.promise]);
      } catch (error) {
        socket.destroy();
        throw error;
      } finally {
        cancel();
      }
    },
  };
}
