import { useEffect, useRef } from 'react';
import { announce } from '../ui/live-regions.tsx';

/**
 * Moves the focus to the content when another page is shown, and announces its title. Without it the focus would be lost with the link
 * that was followed, and screen readers would stay silent.
 * @param contentId - id of the element around the page
 */
export function useAnnouncedPage(path: string, contentId: string): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    const content = document.getElementById(contentId);
    // A page that is there for one field has put the focus into it.
    if (content !== document.activeElement && content?.contains(document.activeElement) !== true) content?.focus();
    // The page sets its title when it is rendered, which may be after its chunk has loaded.
    const observer = new MutationObserver(() => {
      announce(document.title);
      observer.disconnect();
    });
    const title = document.querySelector('title');
    if (title !== null) observer.observe(title, { childList: true });
    return () => observer.disconnect();
  }, [path, contentId]);
}
