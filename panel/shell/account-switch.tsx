import { Menu, VisuallyHidden } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/client.ts'
import { useRead } from '../api/read.ts'
import { leaveAfterAsking } from '../components/unsaved.ts'
import { CheckIcon, ChevronsUpDownIcon, SignOutIcon } from '../design/icons.tsx'
import type { OwnAccount } from '../session/account.ts'
import { forgetSession, useSession } from '../session/session.ts'
import classes from './navigation.module.css'

/** The current account, the person's other accounts, and signing out. */
export function AccountSwitch({ account }: { account: OwnAccount | null }) {
  const { t } = useTranslation('shell')
  const { accounts, person } = useSession()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [isOpened, setOpened] = useState(false)
  const left = useRead('GET /panel/api/accounts', {}, { isEnabled: isOpened }).data?.data.left ?? 0
  const signOut = async () => {
    const answer = await call('DELETE /panel/api/session').catch(() => undefined)
    forgetSession(client)
    const url = answer?.data.provider_url ?? null
    if (url !== null) {
      location.assign(url)
      return
    }
    await navigate({ to: '/sign-in' })
  }
  return (
    <Menu position="bottom-start" width={240} onOpen={() => setOpened(true)}>
      <Menu.Target>
        <button type="button" className={classes.account}>
          <span>
            <strong dir="auto">{account?.name ?? t('account.none')}</strong>
            <small dir="auto">{person.name || person.email}</small>
            <VisuallyHidden>{t('account.switch')}</VisuallyHidden>
          </span>
          <ChevronsUpDownIcon size={14} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {accounts.length === 0 ? null : <Menu.Label>{t('account.accounts')}</Menu.Label>}
        {accounts.map((own) => (
          <Menu.Item
            key={own.id}
            leftSection={own.id === account?.id ? <CheckIcon size={14} /> : <span style={{ width: 14 }} />}
            onClick={() => void navigate({ to: `/${own.id}/overview` })}
          >
            <span dir="auto">{own.name}</span>
          </Menu.Item>
        ))}
        {left === 0 ? null : (
          <Menu.Item leftSection={<span style={{ width: 14 }} />} onClick={() => void navigate({ to: '/new-account' })}>
            {t('account.open')}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Label>{person.email}</Menu.Label>
        <Menu.Item leftSection={<SignOutIcon size={14} />} onClick={() => leaveAfterAsking(null, () => void signOut())}>
          {t('account.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
