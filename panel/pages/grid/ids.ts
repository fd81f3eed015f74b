/** Products in an address: "12,14-20". */
export function readIds(text: string): number[] {
  const ids = new Set<number>()
  for (const part of text.split(',')) {
    const [first = 0, last = first] = part.split('-').map(Number)
    if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last) || first < 1) continue
    for (let id = first; id <= last && ids.size < IDS_MAX; id++) ids.add(id)
  }
  return [...ids]
}

const IDS_MAX = 10_000
