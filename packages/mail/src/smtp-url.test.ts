import { describe, expect, it } from '@jest/globals';
import { parseSmtpUrl } from './smtp-url.ts';

describe('parseSmtpUrl', () => {
  it('reads host, port, TLS and percent-encoded credentials', () => {
    expect(parseSmtpUrl('smtp://mail.example.com')).toEqual({
      host: 'mail.example.com',
      port: 587,
      isImplicitTls: false,
      requiresTls: false,
    });
    expect(parseSmtpUrl('smtps://ann%40example.com:p%40ss%2F%3A@MAIL.example.com')).toEqual({
      host: 'mail.example.com',
      port: 465,
      isImplicitTls: true,
      requiresTls: true,
      credentials: { user: 'ann@example.com', password: 'p@ss/:' },
    });
    expect(parseSmtpUrl('smtp://[::1]:2525/')).toMatchObject({ host: '::1', port: 2525 });
  });

  it('requires TLS for a password, except on loopback', () => {
    const requires = (host: string) => parseSmtpUrl(`smtp://ann:secret@${host}`).requiresTls;
    expect(['mail.example.com', '10.0.0.1', '127.evil.example'].map(requires)).toEqual([true, true, true]);
    expect(['localhost', '127.0.0.1', '127.1.2.3', '[::1]'].map(requires)).toEqual([false, false, false, false]);
  });

  it.each([
    ['mail.example.com', /must be smtp:/],
    ['http://mail.example.com', /must be smtp:/],
    ['smtp://', /must be smtp:|without a path/],
    ['smtp://mail.example.com/path', /without a path or parameters/],
    ['smtp://mail.example.com?secure=no', /without a path or parameters/],
    ['smtp://secret@mail.example.com', /both a user name and a password/],
    ['smtp://ann:%zzsecret@mail.example.com', /percent-encoded/],
  ])('rejects %s, and repeats no part of it', (text, message) => {
    expect(() => parseSmtpUrl(text)).toThrow(message);
    expect(() => parseSmtpUrl(text)).not.toThrow(/secret|mail\.example/);
  });
});
