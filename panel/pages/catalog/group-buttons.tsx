import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRefreshAccount } from '../../api/read.ts'
import { createResource } from '../../api/resources.ts'
import { ungroup } from '../../api/variant-groups.ts'
import { Confirm } from '../../components/dialog.tsx'
import { showMessage } from '../../components/messages.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { useAccount } from '../../session/account.ts'
import type { Selection } from './selection.ts'

/** The most products of a group, and of one request that takes products out of groups. */
const PRODUCTS_MAX = 1_000

/** Makes a variant group of the chosen products, in the order in which they were chosen, or takes them out of their groups. */
export function GroupButtons({ selection, done }: { selection: Selection; done: () => void }) {
  const { t } = useTranslation('catalog')
  const account = useAccount()
  const navigate = useNavigate()
  const refresh = useRefreshAccount()
  const [isAsked, ask] = useState(false)
  const ids = selection.rows.map(({ id }) => id)
  const canBe = !selection.isAll && ids.length > 0 && ids.length <= PRODUCTS_MAX
  const hint = canBe ? undefined : t('bulk.groupSome')
  const group = useMutation({
    mutationFn: () =>
      createResource(account.id, 'variant-groups', { products: ids.map((id) => ({ product_id: id, options: {} })) }),
    async onSuccess({ id }) {
      done()
      await navigate({ to: `/${account.id}/catalog/groups/${id}` })
      await refresh()
    },
  })
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        disabled={!canBe}
        title={hint}
        loading={group.isPending}
        onClick={() => group.mutate()}
      >
        {t('bulk.group')}
      </Button>
      <Button variant="default" size="compact-sm" disabled={!canBe} title={hint} onClick={() => ask(true)}>
        {t('bulk.ungroup')}
      </Button>
      <ProblemNote error={group.error} />
      {isAsked ? (
        <Confirm
          title={t('bulk.ungroup')}
          action={t('bulk.ungroup')}
          isDangerous={false}
          close={() => ask(false)}
          run={async () => {
            await ungroup(account.id, ids)
            showMessage(t('bulk.ungrouped'))
            done()
            await refresh()
          }}
        >
          {t('bulk.to', { count: ids.length })} {t('bulk.ungroupText')}
        </Confirm>
      ) : null}
    </>
  )
}
