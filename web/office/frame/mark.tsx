/** Muster's mark, as it stands in the rail and over the sign-in. */
export const Mark = () => (
  <svg viewBox="0 0 24 24" role="img" aria-label="Muster">
    <path d="M2 3h20v6h-3v5H5V9H2z" fill="var(--signal)" />
    <path d="M5 16h14v5H5z" fill="none" stroke="var(--ink-frame)" strokeWidth="1.5" />
  </svg>
)
