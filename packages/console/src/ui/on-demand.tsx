import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { notify } from './notifications.tsx';

/** Wait in browsers that do not report when they are idle. */
const IDLE_AFTER_MS = 500;

/** Calls a function once the page has nothing else to do. Returns the function that calls this off. */
function whenIdle(work: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = requestIdleCallback(work);
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(work, IDLE_AFTER_MS);
  return () => clearTimeout(timer);
}

/**
 * Returns a dialog or panel whose code is not a part of the first load. The code is loaded when the browser is idle, or when the part is
 * needed before that. The part is shown as soon as its code is there, and stays mounted. A failure to load is a notification: what is
 * around the part stays as it is.
 * @param load - imports the component
 * @param isNeeded - whether the component shows something with these properties
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isNeeded: (props: Props) => boolean,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const prepare = (): Promise<void> => {
    loading ??= load().then(
      (component) => {
        loaded = component;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };

  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part at module level, as React.lazy is
  return function OnDemand(props: Props) {
    const { t } = useTranslation();
    const isNeededNow = isNeeded(props);
    const [wasShown, setShown] = useState(false);
    const reportFailure = useEffectEvent(() => notify({ tone: 'danger', text: t('error.part') }));
    // One that fails is tried again when the part is needed.
    useEffect(() => whenIdle(() => void prepare().catch(() => undefined)), []);
    useEffect(() => {
      if (!isNeededNow) return undefined;
      let isCurrent = true;
      void prepare().then(
        () => isCurrent && setShown(true),
        () => isCurrent && reportFailure(),
      );
      return () => {
        isCurrent = false;
      };
    }, [isNeededNow]);
    const Component = loaded;
    // With its code there, the part is shown in the same step as the press that asked for it.
    return Component !== undefined && (isNeededNow || wasShown) ? <Component {...props} /> : null;
  };
}
