import { describe, expect, it } from '@jest/globals';
import { MAIL_LANGUAGES } from '@sluice/contract';
import type { ClaimedMail } from '@sluice/store/marketplace';
import { renderMail } from './render-mail.ts';

const CONTEXT = {
  from: { name: 'Sluice', address: 'sluice@mail.example.com' },
  publicUrl: 'https://{tenant}-api.example.com',
  languageDefault: 'es',
} as const;

const MAIL: ClaimedMail & { readonly email: string } = {
  tenantId: 't',
  mailId: '5b5c1b0e-5f0f-4a55-9d5e-3a3a30e3ad77',
  kind: 'ACCESS_REQUEST',
  attempt: 1,
  createdMs: Date.UTC(2026, 0, 2),
  tenantName: 'acme',
  email: 'ann@example.com',
  language: 'en',
  itemId: 'ventes été/1',
  itemTitle: 'Ventes "été" <b>',
  requester: 'ben@example.com',
  decidedBy: null,
  isApproved: false,
  expiresMs: null,
  device: null,
  address: null,
};
const DECIDED = { kind: 'ACCESS_DECISION', decidedBy: 'eva@example.com' } as const;

const FORMS: readonly Partial<Omit<ClaimedMail, 'email'>>[] = [
  {},
  { ...DECIDED, isApproved: true },
  { ...DECIDED, isApproved: true, expiresMs: Date.UTC(2027, 4, 6, 7, 8) },
  DECIDED,
  { kind: 'GRANT_ENDING', requester: null, expiresMs: Date.UTC(2027, 4, 6, 7, 8) },
];

describe.each(MAIL_LANGUAGES)('mails in %s', (language) => {
  it('name the item, the people and the end, with a link and the way to turn them off', () => {
    const texts = FORMS.map((form) => {
      const { subject, text, html } = renderMail({ ...MAIL, ...form, language }, CONTEXT);
      expect(subject).toContain('Ventes "été" <b>');
      expect(text).toContain('https://acme-api.example.com/console/account');
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toContain('Ventes &quot;été&quot; &lt;b&gt;');
      expect(html).not.toContain('<b>');
      expect(text).not.toMatch(/undefined|null|\{/);
      return text;
    });
    expect(new Set(texts).size).toBe(FORMS.length);
    expect(texts[0]).toContain('ben@example.com');
    for (const decided of texts.slice(1, 4)) expect(decided).toContain('eva@example.com');
    for (const ending of [texts[2], texts[4]]) expect(ending).toMatch(/2027.* 0?7:08.* UTC/);
  });
});

it.each(MAIL_LANGUAGES)(
  'a mail about a new device in %s names it, its address and the time, and links to the sessions',
  (language) => {
    const mail = { ...MAIL, kind: 'NEW_DEVICE', itemId: '', itemTitle: '', requester: null, language } as const;
    const named = renderMail({ ...mail, device: 'Firefox (Windows) <b>', address: '192.0.2.7' }, CONTEXT);
    for (const part of ['acme', 'Firefox (Windows) <b>', '192.0.2.7', '2026', ' UTC'])
      expect(named.text.includes(part) || `missing ${part}`).toBe(true);
    expect(named.html).toContain('Firefox (Windows) &lt;b&gt;');
    expect(named.text).toContain('https://acme-api.example.com/console/account\n');
    const unknown = renderMail({ ...mail, device: '', address: null }, CONTEXT);
    for (const { subject, text } of [named, unknown]) expect(subject + text).not.toMatch(/undefined|null|\{|: ,/);
  },
);

it('a mail is in the default language for a user without one, and keeps its Message-ID', () => {
  const mail = renderMail({ ...MAIL, language: null }, CONTEXT);
  expect(mail.subject).toBe('ben@example.com solicita acceso a Ventes "été" <b>');
  expect(mail.messageId).toBe('<5b5c1b0e-5f0f-4a55-9d5e-3a3a30e3ad77@mail.example.com>');
  expect(mail.text).toContain('https://acme-api.example.com/console/requests?list=open');
});

it('the link to an item is encoded', () => {
  const { text } = renderMail({ ...MAIL, kind: 'GRANT_ENDING', expiresMs: 0 }, CONTEXT);
  expect(text).toContain('https://acme-api.example.com/console/marketplace/ventes%20%C3%A9t%C3%A9%2F1\n');
});
