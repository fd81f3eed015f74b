import type { Draft } from './sheet-state.ts'

// What was typed and is not saved outlives a reload, a session that ends, and the way back: it is kept in this tab until it is saved.

const PREFIX = 'shelfwire.grid'
export const draftsKey = (personId: number, accountId: number, products: string) =>
  `${PREFIX} ${personId} ${accountId} ${products}`

export function readDrafts(key: string): Map<string, Draft> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return new Map(Array.isArray(kept) ? (kept as [string, Draft][]) : [])
  } catch {
    return new Map()
  }
}

/** @returns false where the browser keeps no more. */
export function keepDrafts(key: string, drafts: ReadonlyMap<string, Draft>): boolean {
  try {
    if (drafts.size === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify([...drafts]))
    return true
  } catch {
    return false
  }
}
