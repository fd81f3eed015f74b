/**
 * Caches the results of a pure function by key. When `max` keys are cached, all are dropped at once, which costs less than tracking which key was
 * used last.
 */
export function remembered<K, V>(max: number, make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined || known.has(key)) return found as V
    const made = make(key)
    if (known.size >= max) known.clear()
    known.set(key, made)
    return made
  }
}
