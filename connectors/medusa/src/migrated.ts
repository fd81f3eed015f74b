/** PostgreSQL's codes for a missing column and a missing table. */
const NOT_MIGRATED = new Set(['42703', '42P01'])

/** The text of an error for the log. Where tables are of an earlier version of the plugin or of Medusa, it says what to do. */
export function sayOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && NOT_MIGRATED.has(code)
    ? `the shop's tables are not of this version (${error.message}): run npx medusa db:migrate`
    : error.message
}
