import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './import.module.css'

/** A list with a button to remove each entry, and one to add another. */
export function MemberList({
  members,
  set,
  children,
  least = 0,
  removeLabel,
  addLabel,
  isAddable = true,
  next,
}: {
  members: readonly unknown[]
  set: (members: unknown[]) => void
  /** Renders one entry; `setMember` replaces it. */
  children: (member: unknown, place: number, setMember: (member: unknown) => void) => ReactNode
  /** The least number of entries, which have no button to remove them. */
  least?: number
  removeLabel: (number: number) => string
  addLabel: string
  isAddable?: boolean
  /** The new entry. */
  next: () => unknown
}) {
  return (
    <>
      {members.map((member, i) => (
        // entries have no other identity
        <div key={i} className={classes.member}>
          {children(member, i, (changed) => set(members.with(i, changed)))}
          {members.length <= least ? null : (
            <Button variant="default" size="xs" onClick={() => set(members.toSpliced(i, 1))}>
              {removeLabel(i + 1)}
            </Button>
          )}
        </div>
      ))}
      <Button variant="default" size="xs" disabled={!isAddable} onClick={() => set([...members, next()])}>
        {addLabel}
      </Button>
    </>
  )
}
