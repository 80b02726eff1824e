import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { page } from './page.ts';

describe('page', () => {
  const response = page({
    status: 200,
    title: 'A & B',
    body: '<p>hello</p>',
    formTargets: ['https://app.example.com'],
  });
  const text = response.kind === 'body' ? new TextDecoder().decode(response.body) : '';
  const policy = String(response.headers['content-security-policy']);

  it('escapes the title', () => {
    expect(text).toContain('<title>A &amp; B</title>');
  });

  it('allows its own style by the hash, and nothing else', () => {
    const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(policy).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
    expect(text).not.toContain('<script');
  });

  it('limits where forms lead, and who may frame it', () => {
    expect(policy).toContain("form-action 'self' https://app.example.com;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(response.headers).toMatchObject({ 'x-frame-options': 'DENY', 'referrer-policy': 'same-origin' });
  });
});
