import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useRead, useRefresh } from '../../api/read.ts'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { Section } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useNeedsPassword } from '../../session/at-provider.tsx'
import { OwnPassword } from '../../session/own-password.tsx'
import { canUsePasskeys, makePasskey } from '../../session/passkeys.ts'
import { useKeepSession } from '../../session/session.ts'
import classes from './profile.module.css'

const LIST = 'GET /panel/api/passkeys'

/** Passkeys of this device or of a password manager, which sign in without a password. */
export function PasskeysSection() {
  const { t } = useTranslation(['profile', 'shared'])
  const refresh = useRefresh()
  const keep = useKeepSession()
  const passkeys = useRead(LIST)
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<{ id: number; name: string } | null>(null)
  return (
    <Section
      title={t('passkeys.title')}
      note={canUsePasskeys() ? t('passkeys.note') : t('passkeys.unknown')}
      isFlush
      actions={
        canUsePasskeys() ? (
          <Button variant="default" onClick={() => setAdding(true)}>
            {t('passkeys.add')}
          </Button>
        ) : undefined
      }
    >
      <ReadList
        query={passkeys}
        label={t('passkeys.title')}
        rows={passkeys.data?.data}
        keyOf={(passkey) => passkey.id}
        empty={<p className={classes.none}>{t('passkeys.none')}</p>}
        columns={[
          { id: 'name', title: t('passkeys.name'), cell: (passkey) => <span dir="auto">{passkey.name}</span> },
          {
            id: 'created',
            title: t('passkeys.created'),
            width: '24%',
            isWide: true,
            cell: (passkey) => <RelativeTime at={passkey.created_at} />,
          },
          {
            id: 'used',
            title: t('passkeys.used'),
            width: '24%',
            cell: (passkey) => <RelativeTime at={passkey.used_at} empty={t('shared:never')} />,
          },
          {
            id: 'remove',
            title: '',
            width: '120px',
            isNumber: true,
            cell: (passkey) => (
              <Button variant="subtle" size="compact-sm" onClick={() => setRemoving(passkey)}>
                {t('passkeys.remove')}
              </Button>
            ),
          },
        ]}
        isInSection
        lines={2}
      />
      {isAdding ? (
        <AddDialog
          close={() => setAdding(false)}
          done={() => {
            setAdding(false)
            void refresh(LIST)
            // an account may require a second factor, so the session is read again
            void call('GET /panel/api/session').then(({ data }) => keep(data))
          }}
        />
      ) : null}
      {removing === null ? null : (
        <Confirm
          title={t('passkeys.removeTitle', { name: removing.name })}
          action={t('passkeys.remove')}
          close={() => setRemoving(null)}
          run={async () => {
            await call('DELETE /panel/api/passkeys/{passkey_id}', { params: { passkey_id: removing.id } })
            await refresh(LIST)
          }}
        >
          {t('passkeys.removeText')}
        </Confirm>
      )}
    </Section>
  )
}

function AddDialog({ close, done }: { close: () => void; done: () => void }) {
  const { t } = useTranslation(['profile', 'shared'])
  const needsPassword = useNeedsPassword()
  const form = useForm({
    initial: { name: '', password: '' },
    async submit({ name, password }) {
      const { data } = await call('POST /panel/api/passkeys/options', { body: password === '' ? {} : { password } })
      const response = await makePasskey(data.options)
      // the person cancelled: the form stays as it is
      if (response === null) return false
      await call('POST /panel/api/passkeys', { body: { ticket: data.ticket, name, response } })
      return true
    },
    done(isMade) {
      if (isMade) done()
    },
  })
  return (
    <Dialog title={t('passkeys.add')} close={close}>
      <Form form={form} submit={t('passkeys.add')}>
        <TextInput
          {...form.text('name')}
          label={t('passkeys.name')}
          description={t('passkeys.nameHint')}
          data-autofocus
        />
        {needsPassword ? <OwnPassword {...form.text('password')} /> : null}
      </Form>
    </Dialog>
  )
}
