/** Places for what this process does at the same time. */
export interface Slots {
  /** Takes a place for an account. @returns a function that frees it. @throws ShelfwireError rate-limited when there is none. */
  take(accountId: number): () => void
}

/** @param requireRoom throws when an account that has `own` of the `all` places that are taken gets no further one. */
export function openSlots(requireRoom: (own: number, all: number) => void): Slots {
  const taken = new Map<number, number>()
  let all = 0
  return {
    take(accountId) {
      const own = taken.get(accountId) ?? 0
      requireRoom(own, all)
      taken.set(accountId, own + 1)
      all++
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        all--
        const rest = (taken.get(accountId) ?? 1) - 1
        if (rest === 0) taken.delete(accountId)
        else taken.set(accountId, rest)
      }
    },
  }
}
