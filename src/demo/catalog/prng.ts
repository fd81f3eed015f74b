/** A 32-bit hash of a text (FNV-1a) as a seed, so that a model's numbers do not depend on what was generated before it. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Mulberry32: numbers in [0, 1). Integer arithmetic only, so the same seed gives the same bytes on every machine. */
export function prng(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** A shuffled copy. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item, at) => ({ item, at, rank: random() }))
    .sort((one, other) => one.rank - other.rank || one.at - other.at)
    .map(({ item }) => item)
}

/** A random item of a list, which must not be empty. */
export function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}
