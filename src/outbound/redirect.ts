const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Whether a status is a redirect to a location. */
export const isRedirect = (status: number): boolean => REDIRECTS.has(status)

/**
 * The target of a redirect; null if the location is missing or invalid. Without its fragment, which is never sent and which
 * checkOutboundUrl refuses.
 */
export function redirectTarget(location: string | null, base: string): URL | null {
  if (location === null || !URL.canParse(location, base)) return null
  const target = new URL(location, base)
  target.hash = ''
  return target
}
