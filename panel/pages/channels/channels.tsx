import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import { rotateChannel, useResources, type Resource } from '../../api/resources.ts'
import { Confirm } from '../../components/dialog.tsx'
import type { Column } from '../../components/list.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import type { ResourceSpec } from '../../resources/field.ts'
import { nameColumn, plainColumn } from '../../resources/columns.tsx'
import { choice, text } from '../../resources/inputs.tsx'
import { ResourcePage } from '../../resources/resource-page.tsx'
import { useStoreName } from '../../resources/product-name.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { BelowForm } from '../../resources/below-form.tsx'

type Channel = Resource<'channels'>

const FORMATS = [
  { value: 'google', label: 'Google Merchant XML' },
  { value: 'csv', label: 'CSV' },
] as const

/** Channel files: a store's catalog at secret addresses, for fetchers that cannot send a token. */
export function ChannelsPage() {
  const { t } = useTranslation(['resources', 'shared'])
  const words = useResourceWords('channels')
  const account = useAccount()
  const stores = useResources(account.id, 'stores').data
  const groups = useResources(account.id, 'groups').data
  const uses = useRead('GET /panel/api/accounts/{account_id}/channel-uses', { params: useAccountParams() })
  const readAt = (id: number) => uses.data?.data.find((row) => row.channel_id === id)?.last_read_at ?? null
  const [address, setAddress] = useState<string | null>(null)
  const [rotating, setRotating] = useState<Channel | null>(null)
  const formatOf = (format: string) => FORMATS.find(({ value }) => value === format)?.label ?? format
  const storeOf = useStoreName()
  const active = (stores ?? []).filter((store) => store.is_active)
  const spec: ResourceSpec<'channels'> = {
    name: 'channels',
    key: 'id',
    required: ['name', 'store', 'format'],
    fixed: ['store', 'format'],
    fields: {
      name: text({ placeholder: 'Google Shopping' }),
      store: choice(active.map(({ slug, name }) => ({ value: slug, label: `${name} (${slug})` }))),
      format: choice<'google' | 'csv'>(FORMATS),
      group_id: choice<number | null>([
        { value: null, label: words.of('defaultGroup') },
        ...(groups ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]),
      link_template: text({ isCode: true, isNullable: true, placeholder: 'https://shop.example/p/{sku}' }),
    },
    initial: {
      name: '',
      store: active.find((store) => store.is_default)?.slug ?? '',
      format: 'google',
      group_id: null,
      link_template: null,
    },
    titleOf: (channel) => channel.name,
  }
  const columns: Column<Channel>[] = [
    nameColumn('name', words.label('name'), (channel) => channel.name),
    plainColumn('store', words.label('store'), '20%', (channel) => storeOf(channel.store)),
    plainColumn('format', words.label('format'), '22%', (channel) => formatOf(channel.format)),
    {
      id: 'read',
      title: words.of('read'),
      width: '18%',
      isWide: true,
      sortBy: (channel) => readAt(channel.id) ?? '',
      cell: (channel) => <RelativeTime at={readAt(channel.id)} empty={t('shared:never')} />,
    },
  ]
  return (
    <>
      <ResourcePage
        spec={spec}
        isReady={stores !== undefined && groups !== undefined}
        columns={columns}
        phoneLine={(channel) => (
          <>
            <bdi>{storeOf(channel.store)}</bdi> · {formatOf(channel.format)} ·{' '}
            {words.of(readAt(channel.id) === null ? 'neverRead' : 'read')}{' '}
            <RelativeTime at={readAt(channel.id)} empty="" />
          </>
        )}
        typedToDelete={(channel) => channel.name}
        takes={(channel) => (
          <p>
            {words.of('read')}: <RelativeTime at={readAt(channel.id)} empty={t('shared:never')} />
          </p>
        )}
        made={(channel) => setAddress((channel as Channel & { url?: string }).url ?? null)}
        aside={(channel) => (
          <BelowForm>
            <p>{words.of('addressHidden')}</p>
            <Button variant="default" onClick={() => setRotating(channel)}>
              {words.of('rotate')}
            </Button>
          </BelowForm>
        )}
      />
      {rotating === null ? null : (
        <Confirm
          title={words.of('rotateTitle', { name: rotating.name })}
          action={words.of('rotate')}
          close={() => setRotating(null)}
          run={async () => setAddress(await rotateChannel(account.id, rotating.id))}
        >
          <p>{words.of('rotateText')}</p>
        </Confirm>
      )}
      {address === null ? null : (
        <ShownOnce
          title={words.of('addressTitle')}
          label={words.of('addressLabel')}
          secret={address}
          close={() => setAddress(null)}
        >
          <p>{words.of('addressText')}</p>
        </ShownOnce>
      )}
    </>
  )
}
