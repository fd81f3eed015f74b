/**
 * The number of letters to insert, delete, replace or swap with their neighbour (Damerau-Levenshtein, optimal string alignment),
 * for finding the meant name of a misspelled one. Time is proportional to the product of both lengths, which callers bound.
 */
export function editDistance(a: string, b: string): number {
  const width = b.length + 1
  // at [i * width + j]: the distance of the first i letters of `a` to the first j letters of `b`
  const least = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => least[i * width + j] ?? Infinity
  for (let i = 0; i <= a.length; i++)
    for (let j = 0; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      least[i * width + j] =
        i === 0 || j === 0
          ? i + j
          : Math.min(
              at(i - 1, j) + 1,
              at(i, j - 1) + 1,
              at(i - 1, j - 1) + (isSame ? 0 : 1),
              isSwapped ? at(i - 2, j - 2) + 1 : Infinity,
            )
    }
  return at(a.length, b.length)
}
