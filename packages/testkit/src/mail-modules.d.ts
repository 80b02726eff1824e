/** Parts of smtp-server and mailparser that the mail server of the tests uses. The published types bring the AWS SDK along. */
declare module 'smtp-server' {
  import type { EventEmitter } from 'node:events';
  import type { Server } from 'node:net';
  import type { Readable } from 'node:stream';

  type Done = (error?: Error | null) => void;

  interface Session {
    readonly secure: boolean;
    readonly user?: string;
    readonly envelope: {
      readonly mailFrom: false | { readonly address: string };
      readonly rcptTo: readonly { readonly address: string }[];
    };
  }

  export class SMTPServer extends EventEmitter {
    constructor(options: {
      readonly authOptional: boolean;
      readonly hideSTARTTLS: boolean;
      readonly allowInsecureAuth: boolean;
      readonly disableReverseLookup: boolean;
      readonly closeTimeout: number;
      readonly onConnect: (session: Session, done: Done) => void;
      readonly onAuth: (
        auth: { readonly username: string; readonly password: string },
        session: Session,
        done: (error: Error | null, user?: { readonly user: string }) => void,
      ) => void;
      readonly onRcptTo: (address: { readonly address: string }, session: Session, done: Done) => void;
      readonly onData: (stream: Readable, session: Session, done: Done) => void;
    });
    readonly server: Server;
    listen(port: number, host: string, done: () => void): void;
    close(done: () => void): void;
  }
}

declare module 'mailparser' {
  interface ParsedAddress {
    readonly text: string;
    readonly value: readonly { readonly address?: string; readonly name: string }[];
  }

  export interface ParsedMail {
    readonly subject?: string;
    readonly text?: string;
    readonly html: string | false;
    readonly messageId?: string;
    readonly from?: ParsedAddress;
    readonly to?: ParsedAddress;
    /** Headers in the order of the mail: the lines as they arrived. */
    readonly headerLines: readonly { readonly key: string; readonly line: string }[];
  }

  export function simpleParser(source: Buffer): Promise<ParsedMail>;
}
