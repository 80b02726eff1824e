/** Parts of nodemailer that this package uses. The published types bring the AWS SDK along. */
declare module 'nodemailer/lib/smtp-connection/index.js' {
  import type { EventEmitter } from 'node:events';
  import type { Socket } from 'node:net';
  import type { ConnectionOptions } from 'node:tls';

  /** Dialogue with an SMTP server. Emits `error`, and `end` when it is closed. */
  export default class SMTPConnection extends EventEmitter {
    constructor(options: {
      readonly host: string;
      readonly port: number;
      readonly secure: boolean;
      readonly requireTLS: boolean;
      /** Connected socket. */
      readonly connection: Socket;
      readonly connectionTimeout: number;
      readonly greetingTimeout: number;
      readonly socketTimeout: number;
      readonly tls: ConnectionOptions;
    });
    connect(done: () => void): void;
    login(auth: { readonly user: string; readonly pass: string }, done: (error?: Error | null) => void): void;
    send(
      envelope: { readonly from: string; readonly to: readonly string[] },
      message: Buffer,
      done: (error?: Error | null) => void,
    ): void;
    quit(): void;
    close(): void;
  }
}

declare module 'nodemailer/lib/mail-composer/index.js' {
  /** Builder of a mail (RFC 5322). */
  export default class MailComposer {
    constructor(mail: {
      readonly from: { readonly name: string; readonly address: string };
      readonly to: { readonly name: string; readonly address: string };
      readonly subject: string;
      readonly text: string;
      readonly html: string;
      readonly messageId: string;
      readonly date: Date;
      readonly headers: Readonly<Record<string, string | { readonly prepared: true; readonly value: string }>>;
      readonly disableFileAccess: boolean;
      readonly disableUrlAccess: boolean;
    });
    compile(): { build(): Promise<Buffer> };
  }
}
