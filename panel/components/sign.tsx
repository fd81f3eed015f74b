/** Shelfwire's sign. */
export function Sign({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--sw-accent)" />
      <path
        d="M7 21.5h18M9 21.5v-8M14 21.5V9.5M19 21.5v-6M23.5 21.5l-2.2-9"
        fill="none"
        stroke="var(--sw-on-accent)"
        strokeWidth="2.4"
        strokeLinecap="round"
      />
    </svg>
  )
}
