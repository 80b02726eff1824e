/** A transfer that this page has started. */
export interface Transfer {
  /** Stops the transfer as far as the browser has not yet begun to save a file. */
  stop(): void;
}

/**
 * Lets the browser save the file at an address. The address is opened in a hidden frame: a link that replaces the page would leave it for
 * an error of the host, and a second one would cancel the first while its headers are awaited.
 * @param onShown - called when the browser shows a document instead of saving a file, so the host has rejected the request
 */
export function saveByBrowser(url: string, onShown: () => void): Transfer {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.referrerPolicy = 'no-referrer';
  frame.tabIndex = -1;
  frame.src = url;
  frame.addEventListener('load', onShown);
  document.body.append(frame);
  return { stop: () => frame.remove() };
}
