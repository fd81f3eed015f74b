import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, type Answer } from '../../api/client.ts'
import { useRead, useRefresh } from '../../api/read.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { Section } from '../../components/page.tsx'
import { showMessage } from '../../components/messages.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'

type Made = Answer<'GET /panel/api/person/made'>['data'][number]

const LIST = 'GET /panel/api/person/made'

/**
 * Shown after a change of the password: tokens, invitations and links that the person has created and that stay valid. Nothing is
 * shown if there are none.
 */
export function MadeDialog({ close }: { close: () => void }) {
  const { t } = useTranslation('profile')
  const made = useRead(LIST)
  if (made.data === undefined || made.data.data.length === 0) return null
  return <RevokeDialog rows={made.data.data} text={t('made.text')} close={close} />
}

/** What somebody else may have created in the person's name before the identity provider verified the address; nothing if there is none. */
export function MadeByOthersSection({ label }: { label: string }) {
  const { t } = useTranslation('profile')
  const [isOpen, setOpen] = useState(false)
  const rows = (useRead(LIST).data?.data ?? []).filter((row) => row.may_be_of_others)
  if (rows.length === 0) return null
  const text = t('made.others.text')
  return (
    <Section title={t('made.others.title', { label })} note={text}>
      <Button onClick={() => setOpen(true)}>{t('made.others.look')}</Button>
      {isOpen ? <RevokeDialog rows={rows} text={text} close={() => setOpen(false)} /> : null}
    </Section>
  )
}

const keyOf = ({ kind, id }: Made) => `${kind} ${id}`

function RevokeDialog({ rows, text, close }: { rows: readonly Made[]; text: string; close: () => void }) {
  const { t } = useTranslation('profile')
  const refresh = useRefresh()
  const initial: { chosen: string[] } = { chosen: [] }
  const form = useForm({
    initial,
    submit: async ({ chosen }) => {
      const ids = (kind: Made['kind']) =>
        rows.filter((row) => row.kind === kind && chosen.includes(keyOf(row))).map(({ id }) => id)
      const body = { tokens: ids('token'), invitations: ids('invitation'), endpoint_links: ids('endpoint-link') }
      await call('POST /panel/api/person/made/revoke', { body })
    },
    done() {
      showMessage(t('made.done'))
      void refresh(LIST)
      close()
    },
  })
  return (
    <Dialog title={t('made.title')} close={close}>
      <Form isLostQuietly form={form} submit={t('made.submit')}>
        <p>{text}</p>
        <Checkbox.Group value={form.values.chosen} onChange={(chosen) => form.set({ chosen })}>
          {rows.map((row) => (
            <Checkbox
              key={keyOf(row)}
              mt="xs"
              value={keyOf(row)}
              label={
                <>
                  {t(`made.kinds.${row.kind}`)}: <bdi>{row.name}</bdi>
                </>
              }
              description={
                <>
                  <bdi>{row.account_name}</bdi> · <RelativeTime at={row.created_at} />
                </>
              }
            />
          ))}
        </Checkbox.Group>
      </Form>
    </Dialog>
  )
}
