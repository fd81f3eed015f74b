import { useState } from 'react'
import { asProblem } from '../api/problem.ts'
import classes from './edited-value.module.css'

/** A value that is edited in place: saved on blur or Enter, reverted by Escape. */
export function EditedValue({
  label,
  value,
  placeholder,
  isNumber = false,
  write,
  fail,
}: {
  label: string
  /** As it is shown while it is not edited. */
  value: string
  placeholder?: string
  isNumber?: boolean
  /** Writes what was typed; null if there is nothing to write. */
  write: (typed: string) => Promise<unknown> | null
  /** Called with the error of a write, and with null when the value is valid again. */
  fail: (error: unknown) => void
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const [isWrong, setWrong] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const takeBack = () => {
    setTyped(null)
    setWrong(false)
    fail(null)
  }
  const save = async () => {
    if (typed === null || isSaving) return
    const writing = write(typed)
    if (writing !== null) {
      setSaving(true)
      try {
        await writing
      } catch (error) {
        setWrong(true)
        fail(asProblem(error))
        return
      } finally {
        setSaving(false)
      }
    }
    takeBack()
  }
  return (
    <input
      className={`${classes.edited} ${isNumber ? classes.number : ''}`}
      aria-label={label}
      aria-invalid={isWrong}
      // text typed during the save would be lost
      readOnly={isSaving}
      placeholder={placeholder}
      inputMode={isNumber ? 'decimal' : undefined}
      dir={isNumber ? 'ltr' : 'auto'}
      autoComplete="off"
      value={typed ?? value}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void save()
        if (event.key === 'Escape' && !isSaving) takeBack()
      }}
    />
  )
}
