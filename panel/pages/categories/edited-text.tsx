import { useRefreshAccount } from '../../api/read.ts'
import { changeResource } from '../../api/resources.ts'
import { EditedValue } from '../../components/edited-value.tsx'
import { useAccount } from '../../session/account.ts'
import type { Category } from './tree.ts'

/** A text of a category that is edited where it stands. */
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
