import { EditedValue } from '../../components/edited-value.tsx'
import { useFormats } from '../../words/format.ts'
import { isSamePrice, typedPrice } from './move.ts'

/** A price of a list that is edited in place; emptying it removes the price. */
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
  /** Called with the error of a write, and with null when the value is valid again. */
  fail: (error: unknown) => void
}) {
  const format = useFormats()
  return (
    <EditedValue
      label={label}
      value={format.amount(value, currency)}
      isNumber
      write={(typed) => {
        const next = typedPrice(typed)
        return next === '' || isSamePrice(next, value) ? null : write(next)
      }}
      fail={fail}
    />
  )
}
