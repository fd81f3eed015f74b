import pg from 'pg'

/** Names of prepared statements by text, the same on every connection of this process. */
const names = new Map<string, string>()
let named = 0

export function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) names.set(text, (name = `q${named++}`))
  return name
}

/** To be called if a plan is stale: the text is then prepared again under another name. */
export const forgetName = (text: string): void => void names.delete(text)

/**
 * Whether a migration by another process invalidated a prepared plan. Preparing it again under another name succeeds.
 */
export function isStalePlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}
