import { useState } from 'react';
import { readLocalSetting, storeLocalSetting } from '../theme/local-setting.ts';

const KEY = 'sluice.editor.wrap';

/** Returns whether the editor wraps long lines, which this browser remembers, and a function that changes it. */
export function useWrappedLines(): readonly [wrapsLines: boolean, toggle: () => void] {
  const [wrapsLines, setWrapsLines] = useState(() => readLocalSetting(KEY) === 'true');
  const toggle = (): void => {
    storeLocalSetting(KEY, wrapsLines ? null : 'true');
    setWrapsLines(!wrapsLines);
  };
  return [wrapsLines, toggle];
}
