/** The sum of what was counted; null where nothing was. */
export const sumOf = (numbers: readonly (number | null)[]): number | null =>
  numbers.every((number) => number === null)
    ? null
    : numbers.reduce<number>((total, number) => total + (number ?? 0), 0)
