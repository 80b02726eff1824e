import type { BrowserContext, ConsoleMessage } from 'playwright-core';

/** Message of Chromium for a response with an error status. It is not a fault: pages of the console report the error themselves. */
const FAILED_RESPONSE = /^Failed to load resource: /;

const isFault = (message: ConsoleMessage): boolean =>
  (message.type() === 'error' || message.type() === 'warning') && !FAILED_RESPONSE.test(message.text());

/**
 * Collects errors and warnings that pages log, errors that they do not catch, and violations of their content security policy. The
 * array grows while the context is open.
 */
export async function watchFaults(context: BrowserContext): Promise<readonly string[]> {
  const faults: string[] = [];
  await context.exposeFunction('reportPageFault', (fault: string) => {
    faults.push(fault);
  });
  await context.addInitScript(() => {
    const report = Reflect.get(globalThis, 'reportPageFault') as (fault: string) => void;
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      report(`content security policy: ${violatedDirective} blocked ${blockedURI} in ${sourceFile}`),
    );
  });
  context.on('weberror', (thrown) => faults.push(`not caught: ${thrown.error().stack ?? thrown.error().message}`));
  context.on('console', (message) => {
    if (isFault(message)) faults.push(`${message.type()}: ${message.text()} (${message.page()?.url()})`);
  });
  return faults;
}
