import { describe, expect, it } from '@jest/globals';
import { composeMail, isDeliverable, type Mail, oneLine, parseMailbox } from './compose-mail.ts';

const MAIL: Mail = {
  from: { name: 'Sluice', address: 'sluice@example.com' },
  to: 'ann@example.com',
  subject: 'Subject',
  text: 'Text\n',
  html: '<p>Text</p>',
  messageId: '<1@example.com>',
  date: new Date(Date.UTC(2026, 0, 2)),
  unsubscribeUrl: 'https://acme-api.example.com/console/account',
};

/** Names of the headers of the mail itself, and its head. */
async function headOf(mail: Partial<Mail>) {
  const [head = ''] = (await composeMail({ ...MAIL, ...mail })).toString().split('\r\n\r\n');
  const names = head.split('\r\n').flatMap((line) => /^([\w-]+):/.exec(line)?.[1] ?? []);
  return { head, names };
}

describe('composeMail', () => {
  const NAMES = [
    ...['From', 'To', 'Subject', 'Message-ID', 'Date', 'MIME-Version', 'Content-Type'],
    ...['Auto-Submitted', 'X-Auto-Response-Suppress', 'List-Unsubscribe'],
  ].sort();

  it('has the headers of a mail that a program wrote', async () => {
    const { head, names } = await headOf({});
    expect(names.sort()).toEqual(NAMES);
    expect(head).toContain('Auto-Submitted: auto-generated\r\n');
    expect(head).toContain('List-Unsubscribe: <https://acme-api.example.com/console/account>');
    expect(head).toContain('Message-ID: <1@example.com>\r\n');
  });

  it.each([
    'a\r\nBcc: eve@evil.example',
    'a\nBcc: eve@evil.example',
    'a\rBcc: eve@evil.example',
    'a\u2028Bcc: eve@evil.example\u0000',
    'a\r\n\r\nbody',
    `${'ü'.repeat(400)}\r\nBcc: eve@evil.example`,
  ])('adds no header for a subject with line breaks: %j', async (subject) => {
    expect((await headOf({ subject })).names.sort()).toEqual(NAMES);
  });

  it('adds no header for a name of the sender with line breaks', async () => {
    const from = { name: 'A"\r\nBcc: eve@evil.example', address: 'sluice@example.com' };
    expect((await headOf({ from })).names.sort()).toEqual(NAMES);
  });

  it('writes subjects that are not ASCII as encoded words in lines of at most 78 characters', async () => {
    const { head } = await headOf({ subject: `Zugang zu „${'Müller '.repeat(20)}“` });
    expect(head).toMatch(/Subject: =\?UTF-8\?/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds what is not ASCII
    expect(head).not.toMatch(/[^\u0000-\u007f]/);
    expect(Math.max(...head.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78);
  });
});

it('oneLine keeps joiners and emoji, and cuts between characters', () => {
  expect(oneLine(' a\t\r\n b\u202e\u0007c ', 10)).toBe('a b c');
  expect(oneLine('👩‍👩‍👧 x', 20)).toBe('👩‍👩‍👧 x');
  expect(oneLine('🙂🙂🙂🙂', 3)).toBe('🙂🙂…');
});

it.each([
  ['ann@example.com', true],
  ["o'neil+data@example.com", true],
  ['jörg@bücher.example', true],
  ['no-at.example.com', false],
  ['a@b@c.example', false],
  ['"quoted"@example.com', false],
  ['ann@example.com>, eve@evil.example', false],
  ['ann@example.com\r\nRCPT TO:<eve@evil.example>', false],
  ['<ann@example.com>', false],
])('isDeliverable(%j) is %j', (address, isRight) => {
  expect(isDeliverable(address)).toBe(isRight);
});

it.each([
  ['sluice@example.com', { name: '', address: 'sluice@example.com' }],
  ['Sluice Daten <sluice@example.com>', { name: 'Sluice Daten', address: 'sluice@example.com' }],
  ['Sluice', undefined],
  ['<sluice@example.com>', undefined],
  ['Sluice <sluice@example.com', undefined],
  ['A\nBcc: x <sluice@example.com>', undefined],
])('parseMailbox(%j)', (text, mailbox) => {
  expect(parseMailbox(text)).toEqual(mailbox);
});
