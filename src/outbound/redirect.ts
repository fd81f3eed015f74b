const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Whether a status says that the file is elsewhere. */
export const isRedirect = (status: number): boolean => REDIRECTS.has(status)

/** Where a redirect leads; null where it does not say. Without a fragment, which is never sent, and which checkOutboundUrl refuses. */
export function redirectTarget(location: string | null, base: string): URL | null {
  if (location === null || !URL.canParse(location, base)) return null
  const target = new URL(location, base)
  target.hash = ''
  return target
}
