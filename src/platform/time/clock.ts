// The process's clock for everything that is compared with times of the database. It can be moved for trials
// (SHELFWIRE_CLOCK_OFFSET, docs/operations.md), together with the database's (src/db/moved-clock.sql.ts). Signatures of webhooks,
// one-time codes, other servers' dates and the times of files follow the machine's clock: what they are compared with is not moved.

let offsetMs = 0

/** Moves the clock of this process by so many milliseconds from the machine's; 0 undoes it. Only the composition root does so. */
export function moveClock(ms: number): void {
  offsetMs = ms
}

export function now(): Date {
  return new Date(Date.now() + offsetMs)
}

/** The same in milliseconds since 1970. */
export function nowMs(): number {
  return Date.now() + offsetMs
}
