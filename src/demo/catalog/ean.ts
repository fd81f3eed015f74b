/** The check digit of the first twelve digits of an EAN-13. */
export function checkDigit(twelve: string): number {
  let sum = 0
  for (let at = 0; at < 12; at++) sum += Number(twelve.charAt(at)) * (at % 2 === 0 ? 1 : 3)
  return (10 - (sum % 10)) % 10
}

// Coprime to 10, so its multiples modulo a power of ten do not repeat: numbers that look random and are distinct.
const STEP = 618_033_989
const SPACE = 1_000_000_000

/** A distinct number of up to nine digits for each place in the catalog (below about ten million). */
export function distinctNumberFor(place: number): number {
  return ((place + 1) * STEP) % SPACE
}

/** An EAN-13 of the range 952, which GS1 keeps for demonstrations: no manufacturer has it, and it joins offers. */
export function demoEan(place: number): string {
  const twelve = `952${String(distinctNumberFor(place)).padStart(9, '0')}`
  return `${twelve}${checkDigit(twelve)}`
}
