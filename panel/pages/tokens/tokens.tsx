import { Button, Menu, ActionIcon } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useRead, useRefresh } from '../../api/read.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Empty } from '../../components/loaded.tsx'
import type { Column } from '../../components/list.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { Page } from '../../components/page.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { showMessage } from '../../components/messages.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { MoreIcon } from '../../design/icons.tsx'
import { useAccount, useAccountParams, useIsOwner } from '../../session/account.ts'
import { NewTokenDialog, RotateDialog } from './new-token.tsx'
import { accessOf, TONES, type NewToken, type Token } from './token-state.ts'
import { addWords } from '../../words/add-words.ts'
import tokensWords from '../../words/en/tokens.json'

addWords({ tokens: tokensWords })

const LIST = 'GET /panel/api/accounts/{account_id}/tokens'

/** Tokens, with which programs read and write the account. */
export function TokensPage() {
  const { t } = useTranslation(['tokens', 'shared'])
  const account = useAccount()
  const params = useAccountParams()
  const isOwner = useIsOwner()
  const search = useSearch({ from: '/signed/$account/tokens' })
  const navigate = useNavigate()
  const refresh = useRefresh()
  const tokens = useRead(LIST, { params })
  const [shown, setShown] = useState<NewToken | null>(null)
  const [rotating, setRotating] = useState<Token | null>(null)
  const [revoking, setRevoking] = useState<Token | null>(null)
  const setOpen = (isOpen: boolean) =>
    void navigate({ to: '.', search: { new: isOpen ? true : undefined, from: search.from }, replace: true })
  const columns = useColumns({ isOwner, rotate: setRotating, revoke: setRevoking })
  const made = (token: NewToken) => {
    setOpen(false)
    setRotating(null)
    setShown(token)
    void refresh(LIST)
  }
  const stored = () => {
    setShown(null)
    if (search.from === 'steps') void navigate({ to: `/${account.id}/overview` })
  }
  const create = isOwner ? <Button onClick={() => setOpen(true)}>{t('create')}</Button> : undefined
  return (
    <Page
      title={t('title')}
      lead={isOwner ? t('lead') : `${t('lead')} ${t('ownersOnly')}`}
      actions={tokens.data?.data.length === 0 ? undefined : create}
    >
      <ReadList
        query={tokens}
        label={t('title')}
        columns={columns}
        rows={tokens.data?.data}
        keyOf={(token) => token.id}
        open={(token) => void navigate({ to: `/${account.id}/tokens/${token.id}` })}
        phoneLine={(token) => (
          <>
            {t(`access.${accessOf(token)}`)} · {token.last_used_at === null ? t('neverUsed') : t('used')}{' '}
            <RelativeTime at={token.last_used_at} empty="" />
          </>
        )}
        empty={
          <Empty action={create} headings={columns.slice(0, 4).map(({ title }) => title)}>
            {isOwner ? t('none') : t('noneForMember')}
          </Empty>
        }
      />
      {search.new === true && isOwner ? <NewTokenDialog close={() => setOpen(false)} made={made} /> : null}
      {rotating === null ? null : <RotateDialog token={rotating} close={() => setRotating(null)} made={made} />}
      {revoking === null ? null : (
        <Confirm
          title={t('revoke.title', { name: revoking.name })}
          action={t('revoke.action')}
          close={() => setRevoking(null)}
          run={async () => {
            await call('DELETE /panel/api/accounts/{account_id}/tokens/{token_id}', {
              params: { ...params, token_id: revoking.id },
            })
            await refresh(LIST)
            showMessage(t('revoke.done', { name: revoking.name }))
          }}
        >
          {t('revoke.text')} {revoking.last_used_at === null ? t('revoke.unused') : t('revoke.used')}{' '}
          {revoking.last_used_at === null ? null : <RelativeTime at={revoking.last_used_at} />}
        </Confirm>
      )}
      {shown === null ? null : (
        <ShownOnce title={t('shown.title')} label={t('shown.label')} secret={shown.token} close={stored}>
          <CodeBlock
            title={t('shown.curl')}
            wraps
            code={`curl -H 'Authorization: Bearer ${shown.token}' '${location.origin}/v1/products?per_page=3'`}
          />
        </ShownOnce>
      )}
    </Page>
  )
}

function useColumns({
  isOwner,
  rotate,
  revoke,
}: {
  isOwner: boolean
  rotate: (token: Token) => void
  revoke: (token: Token) => void
}): Column<Token>[] {
  const { t } = useTranslation(['tokens', 'shared'])
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('name'),
        sortBy: (token) => token.name.toLowerCase(),
        cell: (token) => <span dir="auto">{token.name}</span>,
      },
      {
        id: 'access',
        title: t('accessTitle'),
        width: '30%',
        isWide: true,
        sortBy: accessOf,
        cell: (token) => t(`access.${accessOf(token)}`),
      },
      {
        id: 'state',
        title: t('state'),
        width: '12%',
        sortBy: (token) => token.state,
        cell: (token) => <StateMark tone={TONES[token.state]}>{t(`states.${token.state}`)}</StateMark>,
      },
      {
        id: 'used',
        title: t('used'),
        width: '14%',
        isWide: true,
        sortBy: (token) => token.last_used_at ?? '',
        cell: (token) => <RelativeTime at={token.last_used_at} empty={t('shared:never')} />,
      },
      {
        id: 'expires',
        title: t('expires'),
        width: '14%',
        isWide: true,
        sortBy: (token) => token.expires_at ?? '9',
        cell: (token) =>
          token.state === 'revoked' ? (
            <RelativeTime at={token.revoked_at} />
          ) : (
            <RelativeTime at={token.expires_at} empty={t('shared:never')} />
          ),
      },
      ...(isOwner
        ? [
            {
              id: 'actions',
              title: '',
              width: '64px',
              isNumber: true,
              cell: (token: Token) =>
                token.state === 'active' ? (
                  <Menu position="bottom-end">
                    <Menu.Target>
                      <ActionIcon variant="subtle" color="gray" aria-label={t('actions', { name: token.name })}>
                        <MoreIcon size={16} />
                      </ActionIcon>
                    </Menu.Target>
                    {/* a click on the menu or beside its items must not open the row */}
                    <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
                      <Menu.Item onClick={() => rotate(token)}>{t('rotate.action')}</Menu.Item>
                      <Menu.Item c="var(--sw-bad)" onClick={() => revoke(token)}>
                        {t('revoke.action')}
                      </Menu.Item>
                    </Menu.Dropdown>
                  </Menu>
                ) : null,
            },
          ]
        : []),
    ],
    [t, isOwner, rotate, revoke],
  )
}
