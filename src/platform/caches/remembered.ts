/**
 * A pure function that remembers what it made of its last keys: all is forgotten at once when there are `max` of them, which costs less than
 * knowing which key came last.
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
