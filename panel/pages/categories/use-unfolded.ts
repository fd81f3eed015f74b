import { useState } from 'react'
import { foldKey, type Node } from './tree.ts'

/** A tree of up to this many categories is unfolded at first. */
const UNFOLDED_MAX = 40

export interface Unfolded {
  keys: ReadonlySet<string>
  toggle: (node: Node) => void
  all: () => void
  none: () => void
  /** After a move: keeps what was unfolded below the moved category, and unfolds its new parent. */
  follow: (from: string, to: string) => void
}

export function useUnfolded(nodes: readonly Node[]): Unfolded {
  const [keys, setKeys] = useState<ReadonlySet<string>>(
    () => new Set(nodes.length > UNFOLDED_MAX ? [] : nodes.map(foldKey)),
  )
  return {
    keys,
    toggle: (node) =>
      setKeys((before) => {
        const next = new Set(before)
        if (!next.delete(foldKey(node))) next.add(foldKey(node))
        return next
      }),
    all: () => setKeys(new Set(nodes.map(foldKey))),
    none: () => setKeys(new Set()),
    follow: (from, to) =>
      setKeys((before) => {
        const [was, is] = [from.toLowerCase(), to.toLowerCase()]
        const moved = [...before].flatMap((key) =>
          key === was || key.startsWith(`${was}/`) ? [is + key.slice(was.length)] : [],
        )
        return new Set([...before, ...moved, is.slice(0, Math.max(0, is.lastIndexOf('/')))])
      }),
  }
}
