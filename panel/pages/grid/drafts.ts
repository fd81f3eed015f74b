import { useCallback, useEffect, useState } from 'react'
import type { Draft, SheetState } from './sheet-state.ts'

// Unsaved input survives a reload, an ended session and going back: it is kept in the tab's session storage until it is saved.

const PREFIX = 'shelfwire.grid'
const KEEP_MS = 400

export const draftsKey = (personId: number, accountId: number, products: string) =>
  `${PREFIX} ${personId} ${accountId} ${products}`

/** Reads the kept input, with which the sheet begins. */
export function useDrafts(key: string): () => Map<string, Draft> {
  return useCallback(() => readDrafts(key), [key])
}

/**
 * Keeps the input, shortly after typing and when the page is left.
 * @param isReady false until all products are read: kept input may be about products that have not arrived
 * @returns whether it is kept; false if the browser's storage is full
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

/** @returns false if the browser's storage is full */
function keepDrafts(key: string, drafts: ReadonlyMap<string, Draft>): boolean {
  try {
    if (drafts.size === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify([...drafts]))
    return true
  } catch {
    return false
  }
}
