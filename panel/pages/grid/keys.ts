import type { KeyboardEvent } from 'react'

export interface Place {
  row: number
  column: number
}

/** The place to which a key moves the focus; null if it is not such a key. */
export function movedBy(event: KeyboardEvent, { row, column }: Place, last: Place, pageRows: number): Place | null {
  const isFar = event.ctrlKey || event.metaKey
  const to: Readonly<Record<string, Place>> = {
    ArrowUp: { row: isFar ? 0 : row - 1, column },
    ArrowDown: { row: isFar ? last.row : row + 1, column },
    ArrowLeft: { row, column: isFar ? 0 : column - 1 },
    ArrowRight: { row, column: isFar ? last.column : column + 1 },
    Home: { row: isFar ? 0 : row, column: 0 },
    End: { row: isFar ? last.row : row, column: last.column },
    PageUp: { row: row - pageRows, column },
    PageDown: { row: row + pageRows, column },
  }
  const place = to[event.key]
  return place === undefined ? null : within(place, last)
}

export const within = ({ row, column }: Place, last: Place): Place => ({
  row: Math.min(Math.max(row, 0), last.row),
  column: Math.min(Math.max(column, 0), last.column),
})

/** Whether a key types text: a letter, also with AltGr, or a key that begins one. */
export function isTyping(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event
  if (key === 'Dead' || key === 'Process') return true
  return isLetter(key) && ((!ctrlKey && !metaKey && !altKey) || event.getModifierState('AltGraph'))
}

/** Whether a key's name is a single character, which may be two UTF-16 units; names of other keys are longer. */
export const isLetter = (key: string): boolean => /^.$/u.test(key)
