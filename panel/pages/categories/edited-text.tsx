import { useRefreshAccount } from '../../api/read.ts'
import { changeResource } from '../../api/resources.ts'
import { EditedValue } from '../../components/edited-value.tsx'
import { useAccount } from '../../session/account.ts'
import type { Category } from './tree.ts'

/** A text of a category that is edited in place. */
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
  /** Empty: none. */
  value: string
  placeholder?: string
  bodyOf: (value: string | null) => object
  /** Called with the error of a save, and with null when the value is valid again. */
  fail: (error: unknown) => void
}) {
  const account = useAccount()
  const refresh = useRefreshAccount()
  const change = async (next: string) => {
    await changeResource(account.id, 'categories', category.id, bodyOf(next === '' ? null : next))
    await refresh()
  }
  return (
    <EditedValue
      label={label}
      value={value}
      placeholder={placeholder}
      write={(typed) => (typed.trim() === value ? null : change(typed.trim()))}
      fail={fail}
    />
  )
}
