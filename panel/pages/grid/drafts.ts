import { useCallback, useEffect, useState } from 'react'
import type { Draft, SheetState } from './sheet-state.ts'

// What was typed and is not saved outlives a reload, a session that ends, and the way back: it is kept in this tab until it is saved.

const PREFIX = 'shelfwire.grid'
const KEEP_MS = 400

export const draftsKey = (personId: number, accountId: number, products: string) =>
  `${PREFIX} ${personId} ${accountId} ${products}`

/** What was kept, for the sheet to begin with. */
export function useDrafts(key: string): () => Map<string, Draft> {
  return useCallback(() => readDrafts(key), [key])
}

/**
 * Keeps what is typed, soon after it was typed and when the page is left.
 * @param isReady before everything is read, what is kept may be about products that are still to come
 * @returns whether it is kept; false: the browser keeps no more
 */
export function useKeeping(key: string, state: SheetState, version: number, isReady: boolean): boolean {
  const [isKept, setKept] = useState(true)
  useEffect(() => {
    if (!isReady) return undefined
    const timer = setTimeout(() => setKept(keepDrafts(key, state.drafts)), KEEP_MS)
    return () => clearTimeout(timer)
  }, [state, version, key, isReady])
  useEffect(() => {
    const keep = () => {
      if (isReady) keepDrafts(key, state.drafts)
    }
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [state, key, isReady])
  return isKept
}

function readDrafts(key: string): Map<string, Draft> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return new Map(Array.isArray(kept) ? (kept as [string, Draft][]) : [])
  } catch {
    return new Map()
  }
}

/** @returns false where the browser keeps no more. */
function keepDrafts(key: string, drafts: ReadonlyMap<string, Draft>): boolean {
  try {
    if (drafts.size === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify([...drafts]))
    return true
  } catch {
    return false
  }
}
