import { useState, useSyncExternalStore } from 'react';
import { readLocalSetting, storeLocalSetting } from '../theme/local-setting.ts';

const KEY = 'sluice.editor.share';
/** Part of the height of the window. */
const SHARE = { usual: 0.26, max: 0.6 };
/** Four lines. */
const HEIGHT_MIN = 96;

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

function readShare(): number {
  const share = Number(readLocalSetting(KEY) ?? SHARE.usual);
  return share > 0 && share <= SHARE.max ? share : SHARE.usual;
}

/** Returns the height of the editor in pixels with its limits. It is remembered as a part of the window, which may have another size. */
export function useEditorHeight() {
  const windowHeight = useSyncExternalStore(subscribe, () => window.innerHeight);
  const [share, setShare] = useState(readShare);
  const max = Math.max(HEIGHT_MIN, Math.round(windowHeight * SHARE.max));
  return {
    value: Math.min(Math.max(Math.round(windowHeight * share), HEIGHT_MIN), max),
    min: HEIGHT_MIN,
    max,
    onChange(height: number): void {
      const next = Math.min(height / windowHeight, SHARE.max);
      setShare(next);
      storeLocalSetting(KEY, String(next));
    },
  };
}
