/** Returns a function that reports a repeated message once, until it is called without a message. */
export function reportOnce(
  report: (message: string, cause?: unknown) => void,
): (message: string | undefined, cause?: unknown) => void {
  let reported: string | undefined;
  return (message, cause) => {
    if (message !== undefined && message !== reported) report(message, cause);
    reported = message;
  };
}
