/** Whether the prices of a list apply today. */
export const STATES = ['now', 'later', 'ended', 'inactive'] as const
export type ListState = (typeof STATES)[number]

/** @param today the account's day, `YYYY-MM-DD` */
export function stateOf(
  list: { is_active: boolean; valid_from: string | null; valid_to: string | null },
  today: string,
): ListState {
  if (!list.is_active) return 'inactive'
  if (list.valid_to !== null && list.valid_to < today) return 'ended'
  return list.valid_from !== null && list.valid_from > today ? 'later' : 'now'
}

/** The day of a moment in a time zone, as `YYYY-MM-DD`. */
export function dayIn(timeZone: string, moment: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const part = (name: string) => parts.formatToParts(moment).find(({ type }) => type === name)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}`
}
