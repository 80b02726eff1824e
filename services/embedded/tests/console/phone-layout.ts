import type { Page } from 'playwright-core';

/** Faults of a page on a phone, one sentence each. */
export interface PhoneFaults {
  /** The page can be scrolled sideways. */
  readonly sideways: readonly string[];
  /** Controls that a finger can hardly press. */
  readonly targets: readonly string[];
  /** Words of names, e-mails and types that begin on one line and end on the next. */
  readonly words: readonly string[];
  /** Rows of lists that are not cards. */
  readonly rows: readonly string[];
}

/** Inspects what the page shows, at its width. */
export const findPhoneFaults = (page: Page): Promise<PhoneFaults> => page.evaluate(inspectPhone);

/** Runs in the page, so it uses nothing from outside. */
function inspectPhone(): PhoneFaults {
  const TARGET = 39.5;
  const WORD_MAX = 40;
  const CONTROLS = 'a[href], button, input, select, textarea, summary, [role=tab], [role=treeitem]';
  /** Parts with rules of their own: the text of a statement, and the rows of a result. */
  const OTHERS = '.cm-editor, [role=grid][aria-multiselectable], .visually-hidden, [aria-hidden=true], [inert]';
  const nameOf = (element: Element): string =>
    `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}"`;

  /** Whether the control is for screen readers only: it is in a box of a pixel. */
  const isHiddenFromView = (element: Element): boolean =>
    [element, element.parentElement].some(
      (each) =>
        each !== null && each.clientWidth <= 1 && each.clientHeight <= 1 && getComputedStyle(each).display !== 'inline',
    );
  const isWordOfSentence = (element: Element): boolean =>
    element.tagName === 'A' &&
    getComputedStyle(element).display === 'inline' &&
    element.parentElement?.textContent?.trim() !== element.textContent?.trim();

  /** The element that a finger meets: a field has a box around it, and a checkbox its label. */
  const targetOf = (element: Element): Element => {
    const label = element.closest('label');
    if (label !== null) return label;
    const parent = element.parentElement;
    return element.matches('input, textarea') && parent !== null ? parent : element;
  };
  /** Whether presses above and below the middle reach the control, such as a link whose card is a part of it. */
  const isHitAround = (target: Element): boolean => {
    target.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = target.getBoundingClientRect();
    return [-TARGET / 2, TARGET / 2].every((away) => {
      const hit = document.elementFromPoint(left + width / 2, top + height / 2 + away);
      return hit !== null && target.contains(hit);
    });
  };

  const targets = [...document.querySelectorAll(CONTROLS)].flatMap((element) => {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
    if (element.closest(OTHERS) !== null || element.closest('.frame__skip') !== null || isWordOfSentence(element))
      return [];
    if (isHiddenFromView(element)) return [];
    const target = targetOf(element);
    const { width, height } = target.getBoundingClientRect();
    const isWide = target.tagName === 'A' || width >= TARGET;
    if ((height >= TARGET && isWide) || isHitAround(target)) return [];
    return [`${nameOf(target)} is ${Math.round(width)}x${Math.round(height)}`];
  });

  const words: string[] = [];
  const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const parent = node.parentElement;
    if (parent === null || parent.closest(`${OTHERS}, textarea, pre, option`) !== null || !parent.checkVisibility())
      continue;
    const text = node.textContent ?? '';
    for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}@._(),]+/gu)) {
      // A part of an address, which is longer than a line.
      const isOfLongWord = [...text.matchAll(/\S+/g)].some(
        (each) => each[0].length > WORD_MAX && each.index <= index && index < each.index + each[0].length,
      );
      if (isOfLongWord) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) words.push(`"${word}" is broken`);
    }
  }

  const sideways = [document.documentElement, document.getElementById('content')].flatMap((scroller) => {
    if (scroller === null || scroller.scrollWidth <= scroller.clientWidth + 1) return [];
    const right = scroller.getBoundingClientRect().right;
    const wide = [...scroller.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > right + 1);
    return [`${scroller.id || 'the page'} scrolls sideways, for ${wide.slice(0, 3).map(nameOf).join(', ')}`];
  });

  const rows = [...document.querySelectorAll('table[role=grid] tbody [role=row]')].flatMap((row) => {
    const cells = [...row.children].filter((cell) => cell.checkVisibility() && cell.hasAttribute('data-label'));
    const tops = new Set(cells.map((cell) => Math.round(cell.getBoundingClientRect().top)));
    return tops.size === cells.length ? [] : [`${nameOf(row)} is not a card`];
  });

  const few = (faults: readonly string[]): readonly string[] => [...new Set(faults)].slice(0, 8);
  return { sideways: few(sideways), targets: few(targets), words: few(words), rows: few(rows) };
}

/** Returns the number of rows of the result that are in the window as a whole. */
export const countRowsInView = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const grid = document.querySelector('[role=grid][aria-multiselectable]');
    const head = grid?.querySelector('[role=rowgroup]')?.getBoundingClientRect();
    if (grid === null || head === undefined) return 0;
    const { bottom: gridBottom } = grid.getBoundingClientRect();
    const content = document.getElementById('content')?.getBoundingClientRect();
    const bottom = Math.min(gridBottom, content?.bottom ?? window.innerHeight);
    const top = Math.max(head.bottom, content?.top ?? 0);
    return [...grid.querySelectorAll('[role=row]:has([role=gridcell])')].filter((row) => {
      const box = row.getBoundingClientRect();
      return box.top >= top - 1 && box.bottom <= bottom + 1;
    }).length;
  });
