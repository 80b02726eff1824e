const RECOMMENDED_MAJOR = 24;

/** Returns the sentence for a version of Node.js below the recommended one. Node 20 works, but has got no security fixes since April 2026. */
export const nodeAdvice = (version: string): string | undefined =>
  Number.parseInt(version, 10) < RECOMMENDED_MAJOR
    ? `Node ${RECOMMENDED_MAJOR} is recommended, which gets security fixes for longest; this is Node ${version}.`
    : undefined;
