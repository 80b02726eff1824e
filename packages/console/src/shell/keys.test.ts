import { describe, expect, it } from '@jest/globals';
import { hasCommandKey, labelOfKeys, matchesKeys } from './keys.ts';

const press = (key: string, ...held: readonly ('ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey')[]) => ({
  ...{ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false },
  ...Object.fromEntries(held.map((modifier) => [modifier, true])),
});

describe('matchesKeys', () => {
  it.each([
    ['Mod+K', press('k', 'ctrlKey'), false, true],
    ['Mod+K', press('k', 'metaKey'), true, true],
    ['Mod+K', press('k', 'metaKey'), false, false],
    ['Mod+K', press('k', 'ctrlKey', 'shiftKey'), false, false],
    ['Mod+Shift+F', press('F', 'ctrlKey', 'shiftKey'), false, true],
    ['?', press('?', 'shiftKey'), false, true],
    ['?', press('?', 'ctrlKey'), false, false],
    ['Escape', press('Escape'), false, true],
  ])('of %s for %j (Apple: %s) is %s', (keys, pressed, isApple, expected) => {
    expect(matchesKeys(pressed, keys, isApple)).toBe(expected);
  });
});

describe('labelOfKeys', () => {
  it.each([
    ['Mod+Enter', 'Ctrl+Enter', '⌘↩'],
    ['Mod+Shift+f', 'Ctrl+Shift+F', '⌘⇧F'],
    ['?', '?', '?'],
  ])('writes %s as %s and on machines of Apple as %s', (keys, other, apple) => {
    expect([labelOfKeys(keys, false), labelOfKeys(keys, true)]).toEqual([other, apple]);
  });

  it('finds machines of Apple by their platform', () => {
    expect(['MacIntel', 'Linux x86_64', 'Win32', 'iPhone'].map(hasCommandKey)).toEqual([true, false, false, true]);
  });
});
