import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { changeSettings, readSettings, type Settings } from '../api/settings.ts'
import { Loaded } from '../components/loaded.tsx'
import { useAccount } from '../session/account.ts'
import { Editor } from './editor.tsx'
import type { FormSpec } from './field.ts'

/** The form for some of the settings of the whole account. */
export function AccountEditor({
  spec,
  aside,
  saved,
}: {
  spec: FormSpec
  saved?: () => void
  aside?: (settings: Settings, values: Record<string, unknown>) => ReactNode
}) {
  const account = useAccount()
  const query = useQuery({
    queryKey: ['resources', account.id, 'account'],
    queryFn: () => readSettings(account.id),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Loaded query={query}>
      {(read) => (
        <Editor
          spec={spec}
          read={read}
          aside={aside}
          saved={saved}
          source={{
            read: () => readSettings(account.id),
            change: (body, revision) => changeSettings(account.id, body, revision),
          }}
        />
      )}
    </Loaded>
  )
}
