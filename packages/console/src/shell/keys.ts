/**
 * A key with its modifiers: `Mod+Enter`, `Mod+Shift+F`, `?`. `Mod` is Command on machines of Apple and Control elsewhere. The last
 * part is `KeyboardEvent.key`.
 */
export type Keys = string;

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** Checks whether the machine has a Command key. */
export const hasCommandKey = (platform: string): boolean => /mac|iphone|ipad/i.test(platform);

const partsOf = (keys: Keys): { readonly modifiers: readonly string[]; readonly key: string } => {
  const parts = keys === '+' ? ['+'] : keys.split('+');
  return { modifiers: parts.slice(0, -1), key: parts.at(-1) ?? '' };
};

/** Checks whether a key press is the given one. Shift counts for letters and named keys; `?` and other signs need it to be typed. */
export function matchesKeys(press: KeyPress, keys: Keys, isApple: boolean): boolean {
  const { modifiers, key } = partsOf(keys);
  const mod = isApple ? press.metaKey : press.ctrlKey;
  const other = isApple ? press.ctrlKey : press.metaKey;
  const isSign = key.length === 1 && !/\p{L}|\p{N}/u.test(key);
  return (
    press.key.toLowerCase() === key.toLowerCase() &&
    mod === modifiers.includes('Mod') &&
    !other &&
    press.altKey === modifiers.includes('Alt') &&
    (isSign || press.shiftKey === modifiers.includes('Shift'))
  );
}

const APPLE_SIGNS: Readonly<Record<string, string>> = {
  Mod: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Enter: '↩',
  Escape: 'esc',
  Backspace: '⌫',
};
const OTHER_NAMES: Readonly<Record<string, string>> = { Mod: 'Ctrl', Escape: 'Esc' };

/** Returns the keys as they are printed on the keyboards of the machine: `Ctrl+Enter`, `⌘↩`. */
export function labelOfKeys(keys: Keys, isApple: boolean): string {
  const { modifiers, key } = partsOf(keys);
  const parts = [...modifiers, key.length === 1 ? key.toUpperCase() : key];
  return isApple
    ? parts.map((part) => APPLE_SIGNS[part] ?? part).join('')
    : parts.map((part) => OTHER_NAMES[part] ?? part).join('+');
}
