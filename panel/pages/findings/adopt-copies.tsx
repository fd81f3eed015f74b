import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call, type Request } from '../../api/client.ts'
import { useRefreshAccount } from '../../api/read.ts'
import { useResources } from '../../api/resources.ts'
import { ProblemNote } from '../../components/problem-note.tsx'
import { showMessage } from '../../components/messages.tsx'
import { useAccount } from '../../session/account.ts'
import classes from './findings.module.css'
import type { Row } from './kinds.ts'

type Adoption = NonNullable<Request<'POST /v1/account/images/adopt'>['body']>

/** Adopts copies, in several requests if necessary, and refreshes the account's data. */
function useAdopt() {
  const { t } = useTranslation('findings')
  const account = useAccount()
  const refresh = useRefreshAccount()
  return useMutation({
    mutationFn: async (body: Adoption) => {
      let count = 0
      for (let isMore = true; isMore;) {
        const { data } = await call('POST /v1/account/images/adopt', { accountId: account.id, body })
        count += data.adopted
        isMore = data.is_more
      }
      showMessage(t('adopt.done', { count }))
      await refresh()
    },
  })
}

/** Adopts all copies whose source fails, or those of one supplier. */
export function AdoptCopies({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation('findings')
  const { id } = useAccount()
  const adopt = useAdopt()
  const { data: suppliers = [] } = useResources(id, 'suppliers')
  const codes = [...new Set(rows.flatMap(({ suppliers: named }) => (Array.isArray(named) ? named.map(String) : [])))]
  return (
    <div className={classes.adopt}>
      <Button size="xs" disabled={adopt.isPending} onClick={() => adopt.mutate({ all: true })}>
        {t('adopt.all')}
      </Button>
      {codes.toSorted().map((code) => (
        <Button
          key={code}
          size="xs"
          variant="default"
          disabled={adopt.isPending}
          onClick={() => adopt.mutate({ supplier: code })}
        >
          {t('adopt.supplier', { supplier: suppliers.find((row) => row.code === code)?.name ?? code })}
        </Button>
      ))}
      <ProblemNote error={adopt.error} />
    </div>
  )
}

export function AdoptCopy({ image }: { image: string }) {
  const { t } = useTranslation('findings')
  const adopt = useAdopt()
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        disabled={adopt.isPending}
        aria-label={t('adopt.oneOf', { image })}
        onClick={() => adopt.mutate({ image })}
      >
        {t('adopt.one')}
      </Button>
      <ProblemNote error={adopt.error} />
    </>
  )
}
