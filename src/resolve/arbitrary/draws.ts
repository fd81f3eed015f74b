// How arbitrary inputs are drawn from numbers, in this room's tests.

/** A whole number from 0 to `max`. */
export type Draw = (max: number) => number

/** Draws from the numbers in turn; 0 once they are used up. */
export function drawsFrom(numbers: readonly number[]): Draw {
  let at = 0
  return (max) => (numbers[at++] ?? 0) % (max + 1)
}

export function pick<T>(draw: Draw, list: readonly T[]): T {
  return list[draw(list.length - 1)] as T
}

/** null in three of four draws: a rule with all its conditions would never match. */
export function drawSometimes<T>(draw: Draw, make: () => T): T | null {
  return draw(3) === 3 ? make() : null
}

export function drawOften<T>(draw: Draw, make: () => T): T | null {
  return draw(2) > 0 ? make() : null
}

/** At most `max` entries with different keys. */
export function drawEntries<T>(
  draw: Draw,
  max: number,
  make: () => T,
  key: (entry: T) => string | number = (entry) => JSON.stringify(entry),
): T[] {
  return [...new Map(Array.from({ length: draw(max) }, make).map((entry) => [key(entry), entry])).values()]
}
