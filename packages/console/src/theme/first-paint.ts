/**
 * Sets the theme before the first paint, so that a page in the dark theme does not flash white. It runs as a classic script in the
 * head, and therefore imports nothing. use-theme.ts keeps the attribute up to date afterwards.
 */
(() => {
  const root = document.documentElement;
  let choice: string | null = null;
  try {
    choice = localStorage.getItem('sluice.theme');
  } catch {
    // Storage is switched off: the theme of the operating system applies.
  }
  const isDark = choice === 'dark' || (choice !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset['theme'] = isDark ? 'dark' : 'light';
})();
