/** The mark of the product: a gate above flowing water. The name is written beside it. */
export function BrandMark() {
  return (
    <svg className="brand-mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className="brand-mark__ground" width="32" height="32" rx="7" />
      <path className="brand-mark__gate" d="M9 7v18M23 7v18M9 12h14" />
      <path
        className="brand-mark__water"
        d="M11.5 18c1.5-1.6 3-1.6 4.5 0s3 1.6 4.5 0M11.5 23c1.5-1.6 3-1.6 4.5 0s3 1.6 4.5 0"
      />
    </svg>
  );
}
