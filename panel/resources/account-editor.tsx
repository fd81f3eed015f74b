import type { ReactNode } from 'react'
import { changeSettings, readSettings, type Settings } from '../api/settings.ts'
import { useAccount } from '../session/account.ts'
import { EditSource } from './editor.tsx'
import type { FormSpec } from './field.ts'

/** The form for some of the settings of the whole account. */
export function AccountEditor(props: {
  spec: FormSpec
  saved?: () => void
  aside?: (settings: Settings, values: Record<string, unknown>) => ReactNode
}) {
  const account = useAccount()
  return (
    <EditSource
      {...props}
      name={['account']}
      source={{
        read: () => readSettings(account.id),
        change: (body, revision) => changeSettings(account.id, body, revision),
      }}
    />
  )
}
