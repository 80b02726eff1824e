import { describe, expect, it } from '@jest/globals';
import { isRegisteredRedirectUri } from './redirect-uri.ts';

const REGISTERED = [
  'http://127.0.0.1/callback',
  'https://app.example.com/back',
  'http://[::1]/six',
  'com.example.app:/back',
];

describe('isRegisteredRedirectUri', () => {
  it.each([
    'https://app.example.com/back',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:1/callback',
    'http://127.0.0.1:65535/callback',
    'http://[::1]:8080/six',
    'com.example.app:/back',
  ])('accepts %s', (uri) => {
    expect(isRegisteredRedirectUri(uri, REGISTERED)).toBe(true);
  });

  it.each([
    'https://app.example.com:8443/back',
    'https://app.example.com/back/',
    'https://app.example.com/back?x=1',
    'https://app.example.com/back#x',
    'https://ann@app.example.com/back',
    'https://APP.example.com/back',
    'HTTPS://app.example.com/back',
    'https://app.example.com/%62ack',
    'https://app.example.com/x/../back',
    'https://app.example.com./back',
    'https://xn--pp-xia.example.com/back',
    'https://äpp.example.com/back',
    'http://app.example.com/back',
    '//app.example.com/back',
    'http://127.0.0.1:70000/callback',
    'http://127.0.0.1:0/callback',
    'http://127.0.0.1:08/callback',
    'http://127.0.0.1:8080/other',
    'http://127.0.0.1:8080/callback?x',
    'http://127.0.0.1:8080/callback#x',
    'http://127.0.0.1:8080',
    'https://127.0.0.1:8080/callback',
    'http://ann@127.0.0.1:8080/callback',
    'http://127.0.0.1@evil.example/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://localhost:8080/callback',
    'http://[::1]:8080/callback',
    'http://127.0.0.1:8080/six',
    'com.example.app:/back/',
    'COM.example.app:/back',
    'com.example.app:80/back',
    'http://127.1:8080/callback',
    'http://127.0.0.2:8080/callback',
    'http://0x7f000001:8080/callback',
    'http://127.0.0.1:8080\\@evil.example/callback',
    '',
  ])('rejects %s', (uri) => {
    expect(isRegisteredRedirectUri(uri, REGISTERED)).toBe(false);
  });
});
