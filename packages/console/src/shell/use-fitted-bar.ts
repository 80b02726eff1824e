import { type RefObject, useLayoutEffect } from 'react';

/** Steps in which the bar leaves things out: shortcuts, then names of user and tenant, then the texts of its links. */
const STEP_MAX = 3;

const isTooNarrow = (element: Element): boolean => element.scrollWidth > element.clientWidth + 1;

/** The step of a phone, whose pages are in a bar of their own. */
const STEP_ON_PHONES = 1;

/** Uses the first step in which everything has room. The last one is used if nothing fits. */
function fit(bar: HTMLElement): void {
  if (getComputedStyle(bar).display === 'contents') {
    bar.dataset['step'] = String(STEP_ON_PHONES);
    return;
  }
  for (let step = 0; step <= STEP_MAX; step += 1) {
    bar.dataset['step'] = String(step);
    if (!isTooNarrow(bar) && ![...bar.children].some(isTooNarrow)) return;
  }
}

/** Fits the bar of the frame to its width, again for another width, language or set of pages. */
export function useFittedBar(bar: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = bar.current;
    if (element === null) return undefined;
    const update = (): void => fit(element);
    update();
    const sizes = new ResizeObserver(update);
    sizes.observe(element);
    const contents = new MutationObserver(update);
    contents.observe(element, { childList: true, characterData: true, subtree: true });
    return () => {
      sizes.disconnect();
      contents.disconnect();
    };
  }, [bar]);
}
