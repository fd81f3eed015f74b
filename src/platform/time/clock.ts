// The process's clock for everything that is compared with times of the database. It can be moved for trials (SHELFWIRE_CLOCK_OFFSET,
// docs/operations.md), together with the database's (src/db/connections/moved-clock.sql.ts). Signatures of webhooks, one-time codes, dates from other servers and
// times of files use the machine's clock, because what they are compared with is not moved.

let offsetMs = 0

/** Moves the clock of this process by this many milliseconds relative to the machine's; 0 undoes it. Only the composition root calls this. */
export function moveClock(ms: number): void {
  offsetMs = ms
}

export function now(): Date {
  return new Date(Date.now() + offsetMs)
}

/** The time of `now()` in milliseconds since 1970. */
export function nowMs(): number {
  return Date.now() + offsetMs
}
