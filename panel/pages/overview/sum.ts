/** The sum of the numbers; null if all of them are null. */
export const sumOf = (numbers: readonly (number | null)[]): number | null =>
  numbers.every((number) => number === null)
    ? null
    : numbers.reduce<number>((total, number) => total + (number ?? 0), 0)
