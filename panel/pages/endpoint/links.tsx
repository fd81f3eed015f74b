import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useRead, useRefresh } from '../../api/read.ts'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { Section } from '../../components/page.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import classes from './endpoint.module.css'

type Params = { account_id: number; endpoint_id: number }
const LIST = 'GET /panel/api/accounts/{account_id}/endpoints/{endpoint_id}/links'
const HOURS = [4, 24, 72, 168] as const

/** Links for developers of the receiver: its log, tests and redeliveries, without a password and without the secret. */
export function LinksSection({ params }: { params: Params }) {
  const { t } = useTranslation(['endpoint', 'shared'])
  const refresh = useRefresh()
  const links = useRead(LIST, { params })
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const [ending, setEnding] = useState<{ id: number; name: string } | null>(null)
  return (
    <Section
      title={t('links.title')}
      note={t('links.note')}
      isFlush
      actions={
        <Button variant="default" onClick={() => setMaking(true)}>
          {t('links.create')}
        </Button>
      }
    >
      <ReadList
        query={links}
        label={t('links.title')}
        rows={links.data?.data}
        keyOf={(link) => link.id}
        empty={<p className={classes.none}>{t('links.none')}</p>}
        columns={[
          { id: 'name', title: t('links.for'), cell: (link) => <span dir="auto">{link.name}</span> },
          {
            id: 'used',
            title: t('links.used'),
            width: '22%',
            isWide: true,
            cell: (link) => <RelativeTime at={link.used_at} empty={t('shared:never')} />,
          },
          { id: 'ends', title: t('links.ends'), width: '22%', cell: (link) => <RelativeTime at={link.expires_at} /> },
          {
            id: 'end',
            title: '',
            width: '110px',
            isNumber: true,
            cell: (link) => (
              <Button variant="subtle" size="compact-sm" onClick={() => setEnding(link)}>
                {t('links.end')}
              </Button>
            ),
          },
        ]}
        isInSection
        lines={2}
      />
      {isMaking ? (
        <NewLinkDialog
          params={params}
          close={() => setMaking(false)}
          made={(link) => {
            setMaking(false)
            setMade(link)
            void refresh(LIST)
          }}
        />
      ) : null}
      {made === null ? null : (
        <ShownOnce title={t('links.shown')} label={t('links.label')} secret={made} close={() => setMade(null)}>
          <p>{t('links.shownText')}</p>
        </ShownOnce>
      )}
      {ending === null ? null : (
        <Confirm
          title={t('links.endTitle', { name: ending.name })}
          action={t('links.end')}
          close={() => setEnding(null)}
          run={async () => {
            await call('DELETE /panel/api/accounts/{account_id}/endpoints/{endpoint_id}/links/{link_id}', {
              params: { ...params, link_id: ending.id },
            })
            await refresh(LIST)
          }}
        >
          {t('links.endText')}
        </Confirm>
      )}
    </Section>
  )
}

function NewLinkDialog({ params, close, made }: { params: Params; close: () => void; made: (link: string) => void }) {
  const { t } = useTranslation(['endpoint', 'shared'])
  const form = useForm({
    initial: { name: '', hours: '24' },
    submit: async ({ name, hours }) =>
      (
        await call('POST /panel/api/accounts/{account_id}/endpoints/{endpoint_id}/links', {
          params,
          body: { name, hours: Number(hours) },
        })
      ).data.link,
    done: made,
  })
  return (
    <Dialog title={t('links.create')} close={close}>
      <Form form={form} submit={t('links.create')}>
        <TextInput {...form.text('name')} label={t('links.for')} description={t('links.forHint')} data-autofocus />
        <NativeSelect
          {...form.text('hours')}
          label={t('links.ends')}
          data={HOURS.map((hours) => ({
            value: String(hours),
            label: hours < 48 ? t('rewindIn.hours', { count: hours }) : t('rewindIn.days', { count: hours / 24 }),
          }))}
        />
      </Form>
    </Dialog>
  )
}
