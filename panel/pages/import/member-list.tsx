import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './import.module.css'

/** Members of a list, each with a button that removes it, and one that adds another. */
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
  /** Shows one member; `setMember` replaces it. */
  children: (member: unknown, place: number, setMember: (member: unknown) => void) => ReactNode
  /** So many stay: they have no button that removes them. */
  least?: number
  removeLabel: (number: number) => string
  addLabel: string
  isAddable?: boolean
  /** What is added. */
  next: () => unknown
}) {
  return (
    <>
      {members.map((member, i) => (
        // members have no other identity
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
