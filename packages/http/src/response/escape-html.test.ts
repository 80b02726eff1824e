import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { escapeHtml } from './escape-html.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescapeHtml = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_all, name) => ENTITIES[name] ?? '');

describe('escapeHtml', () => {
  it('returns text that a browser reads as the input, without characters that end the text or an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('&', '<', '>', '"', "'", 'a', 'amp;', '#39;') }), (text) => {
        const escaped = escapeHtml(text);
        expect(escaped).not.toMatch(/[<>"']/);
        expect(unescapeHtml(escaped)).toBe(text);
      }),
    );
  });
});
