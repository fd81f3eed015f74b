/**
 * Whether it is the IANA name of a time zone, which PostgreSQL knows as well. A bare offset is refused, because
 * PostgreSQL reads its sign the other way round.
 */
export function isTimeZone(name: string): boolean {
  try {
    return (
      /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0
    )
  } catch {
    return false
  }
}
