/** Characters that end a header line, are invisible or move the text around them. Joiners of scripts and emoji stay. */
const UNSAFE =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc\u{e0000}-\u{e007f}]+/gu;
const SPACES = /\s+/g;

/** Local part without quotes, then a domain: no character that a header or the SMTP dialogue could read as something else. */
const ADDRESS = /^[^\s@<>(),;:"\\[\]\p{Cc}]+@[^\s@<>(),;:"\\[\]\p{Cc}]+$/u;
const MAILBOX = /^(?:([^<>"\p{Cc}]*\S) <([^<>]+)>|([^<>]+))$/u;

/** Sender: an address, and optionally a name. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** Mail before it has its form of RFC 5322. */
export interface Mail {
  readonly from: Mailbox;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Stable for a mail, so that a mailbox can recognize one that arrives twice. */
  readonly messageId: string;
  readonly date: Date;
  /** Page where the recipient turns such mails off (RFC 2369). */
  readonly unsubscribeUrl: string;
}

/** Returns a text of users on one line of at most this many characters, without invisible characters. */
export function oneLine(text: string, charactersMax: number): string {
  const line = [...text.replace(UNSAFE, ' ').replace(SPACES, ' ').trim()];
  return line.length <= charactersMax ? line.join('') : `${line.slice(0, charactersMax - 1).join('')}…`;
}

/** Checks whether mail can be sent to an address. Quoted local parts and address literals are not supported. */
export const isDeliverable = (address: string): boolean => ADDRESS.test(address);

/** Reads `address` or `Name <address>`. Returns undefined for any other text. */
export function parseMailbox(text: string): Mailbox | undefined {
  const [, name = '', named, bare] = MAILBOX.exec(text) ?? [];
  const address = named ?? bare;
  return address !== undefined && isDeliverable(address) ? { name, address } : undefined;
}

/** Returns the bytes of a mail (RFC 5322), as plain text and as HTML. Its headers contain no line breaks of users. */
export async function composeMail(mail: Mail): Promise<Buffer> {
  // Loaded with the first mail: most hosts send none.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const composer = new MailComposer({
    from: mail.from,
    to: { name: '', address: mail.to },
    subject: oneLine(mail.subject, 250),
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    date: mail.date,
    headers: {
      // RFC 3834: no vacation notice must reply to it.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'List-Unsubscribe': { prepared: true, value: `<${mail.unsubscribeUrl}>` },
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return await composer.compile().build();
}
