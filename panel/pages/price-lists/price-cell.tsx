import { EditedValue } from '../../components/edited-value.tsx'
import { useFormats } from '../../words/format.ts'
import { isSamePrice, typedPrice } from './move.ts'

/** A price of a list that is edited where it stands; nothing in it takes it back. */
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
