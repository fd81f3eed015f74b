import { useState } from 'react'
import { useRefreshAccount } from '../../api/read.ts'
import { asProblem } from '../../api/problem.ts'
import { changeResource } from '../../api/resources.ts'
import { useAccount } from '../../session/account.ts'
import classes from './categories.module.css'
import type { Category } from './tree.ts'

/** A text of a category that is edited where it stands: it is saved when it is left or by Enter, and Escape takes it back. */
export function EditedText({
  category,
  label,
  value,
  placeholder,
  bodyOf,
  fail,
}: {
  category: Category
  label: string
  /** Empty: there is none. */
  value: string
  placeholder?: string
  bodyOf: (value: string | null) => object
  /** Is told what is wrong, and null once it is not. */
  fail: (error: unknown) => void
}) {
  const account = useAccount()
  const refresh = useRefreshAccount()
  const [typed, setTyped] = useState<string | null>(null)
  const [isWrong, setWrong] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const save = async () => {
    const next = typed?.trim()
    if (next === undefined || isSaving) return
    if (next !== value) {
      setSaving(true)
      try {
        await changeResource(account.id, 'categories', category.id, bodyOf(next === '' ? null : next))
        await refresh()
      } catch (error) {
        setWrong(true)
        fail(asProblem(error))
        return
      } finally {
        setSaving(false)
      }
    }
    setTyped(null)
    setWrong(false)
    fail(null)
  }
  return (
    <input
      className={classes.edited}
      aria-label={label}
      aria-invalid={isWrong}
      // what is typed meanwhile would be lost
      readOnly={isSaving}
      placeholder={placeholder}
      dir="auto"
      autoComplete="off"
      value={typed ?? value}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void save()
        if (event.key !== 'Escape') return
        setTyped(null)
        setWrong(false)
        fail(null)
      }}
    />
  )
}
