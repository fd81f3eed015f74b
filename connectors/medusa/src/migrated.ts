/** PostgreSQL's codes of a column and of a table that are not there. */
const NOT_MIGRATED = new Set(['42703', '42P01'])

/** What the log says of an error: of a shop whose tables are of an earlier version of the plugin, or of Medusa, what to do. */
export function sayOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && NOT_MIGRATED.has(code)
    ? `the shop's tables are not of this version (${error.message}): run npx medusa db:migrate`
    : error.message
}
