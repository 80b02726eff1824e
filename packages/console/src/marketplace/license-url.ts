const WEB_ADDRESS = /^https?:\/\/\S+$/i;

/** Returns the address of the page that a license is; undefined for any other text, such as `CC-BY-4.0`. */
export function licenseUrl(text: string): string | undefined {
  const given = text.trim();
  return WEB_ADDRESS.test(given) && URL.canParse(given) ? new URL(given).href : undefined;
}
