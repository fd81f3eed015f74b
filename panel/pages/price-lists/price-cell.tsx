import { useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import { useFormats } from '../../words/format.ts'
import { isSamePrice, typedPrice } from './move.ts'
import classes from './price-lists.module.css'

/** A price that is edited where it stands: it is saved when it is left or by Enter; Escape, or nothing in it, takes it back. */
export function PriceCell({
  label,
  value,
  currency,
  write,
  fail,
}: {
  label: string
  /** As the list has it. */
  value: string
  currency: string
  write: (price: string) => Promise<boolean>
  /** Is told what is wrong, and null once it is not. */
  fail: (error: unknown) => void
}) {
  const format = useFormats()
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
    const next = typedPrice(typed)
    if (next !== '' && !isSamePrice(next, value)) {
      setSaving(true)
      try {
        await write(next)
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
      className={classes.edited}
      aria-label={label}
      aria-invalid={isWrong}
      // what is typed meanwhile would be lost
      readOnly={isSaving}
      inputMode="decimal"
      dir="ltr"
      autoComplete="off"
      value={typed ?? format.amount(value, currency)}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void save()
        if (event.key === 'Escape' && !isSaving) takeBack()
      }}
    />
  )
}
