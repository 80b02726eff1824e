/**
 * Sets the theme before the first paint, so that a page in the dark theme does not flash white, and requests the messages of the
 * language at once, not after the program that shows them. It runs as a classic script in the head, and therefore imports nothing.
 * use-theme.ts keeps the theme up to date afterwards; language.ts chooses the language by the same rule.
 */
(() => {
  const root = document.documentElement;
  const read = (key: string): string | null => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage is switched off: the theme of the operating system and the languages of the browser apply.
      return null;
    }
  };
  const choice = read('sluice.theme');
  const isDark = choice === 'dark' || (choice !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset['theme'] = isDark ? 'dark' : 'light';

  const files = document.currentScript?.dataset ?? {};
  const languages = [read('sluice.language') ?? '', ...navigator.languages, 'en'];
  const messages = languages
    .map((tag) => files[tag.split('-')[0]?.toLowerCase() ?? ''])
    .find((file) => typeof file === 'string');
  if (messages !== undefined) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = messages;
    document.head.append(link);
  }
})();
