/**
 * Whether it is an IANA name, which PostgreSQL knows too. A bare offset is refused: PostgreSQL reads its sign the other
 * way round.
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
