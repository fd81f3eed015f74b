import { ActionIcon, Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, type Answer } from '../../api/client.ts'
import { useRead, useRefresh } from '../../api/read.ts'
import { Confirm } from '../../components/dialog.tsx'
import { Empty } from '../../components/loaded.tsx'
import type { Column } from '../../components/list.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { Page, Section } from '../../components/page.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { showMessage } from '../../components/messages.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { MoreIcon } from '../../design/icons.tsx'
import { useAccountParams, useIsOwner } from '../../session/account.ts'
import { InvitationSent, InviteDialog, type SentInvitation } from './invite.tsx'
import { SignInRulesSection } from './sign-in-rules.tsx'
import classes from './people.module.css'
import { addWords } from '../../words/add-words.ts'
import peopleWords from '../../words/en/people.json'

addWords({ people: peopleWords })

type Member = Answer<'GET /panel/api/accounts/{account_id}/members'>['data'][number]
type Invitation = Answer<'GET /panel/api/accounts/{account_id}/invitations'>['data'][number]

const MEMBERS = 'GET /panel/api/accounts/{account_id}/members'
const INVITATIONS = 'GET /panel/api/accounts/{account_id}/invitations'

/** The people of the account with their roles, and open invitations. */
export function PeoplePage() {
  const { t } = useTranslation(['people', 'shared'])
  const params = useAccountParams()
  const isOwner = useIsOwner()
  const refresh = useRefresh()
  const members = useRead(MEMBERS, { params })
  const invitations = useRead(INVITATIONS, { params })
  const [isInviting, setInviting] = useState(false)
  const [sent, setSent] = useState<SentInvitation | null>(null)
  const [asking, setAsking] = useState<{ what: 'role' | 'remove'; member: Member } | null>(null)
  const [resending, setResending] = useState<Invitation | null>(null)
  const [withdrawing, setWithdrawing] = useState<Invitation | null>(null)
  const sentOr = (invitation: SentInvitation) => {
    if (invitation.mail === 'sent') showMessage(t('invite.sent', { email: invitation.email }))
    else if (invitation.mail === 'waiting') showMessage(t('invite.waiting', { email: invitation.email }))
    else setSent(invitation)
    void refresh(INVITATIONS)
  }
  const sendAgain = async ({ email, role }: Invitation) => {
    const body = { email, role }
    sentOr((await call('POST /panel/api/accounts/{account_id}/invitations', { params, body })).data)
  }
  const memberColumns = useMemberColumns(isOwner, setAsking)
  const invitationColumns = useInvitationColumns(isOwner, setWithdrawing, setResending)
  const invite = isOwner ? <Button onClick={() => setInviting(true)}>{t('invite.open')}</Button> : undefined
  const member = asking?.member
  const newRole = member?.role === 'owner' ? 'member' : 'owner'
  return (
    <Page title={t('title')} lead={isOwner ? t('lead') : `${t('lead')} ${t('ownersOnly')}`} actions={invite}>
      <Section title={t('members')} isFlush>
        <ReadList
          query={members}
          label={t('members')}
          columns={memberColumns}
          rows={members.data?.data}
          keyOf={(row) => row.id}
          phoneLine={(row) => row.email}
          empty={<Empty>{t('noMembers')}</Empty>}
          isInSection
        />
      </Section>
      <Section title={t('invitations')} isFlush>
        <ReadList
          query={invitations}
          label={t('invitations')}
          columns={invitationColumns}
          rows={invitations.data?.data}
          keyOf={(row) => row.id}
          phoneLine={(row) => <RelativeTime at={row.expires_at} />}
          empty={<p className={classes.none}>{t('noInvitations')}</p>}
          isInSection
          lines={2}
        />
      </Section>
      {isOwner ? <SignInRulesSection /> : null}
      {isInviting ? (
        <InviteDialog
          close={() => setInviting(false)}
          made={(invitation) => {
            setInviting(false)
            sentOr(invitation)
          }}
        />
      ) : null}
      {sent === null ? null : <InvitationSent invitation={sent} close={() => setSent(null)} />}
      {asking?.what === 'role' && member !== undefined ? (
        <Confirm
          title={t('role.title', { name: member.name ?? member.email })}
          action={t(`role.${newRole}`)}
          isDangerous={false}
          close={() => setAsking(null)}
          run={async () => {
            await call('PATCH /panel/api/accounts/{account_id}/members/{member_id}', {
              params: { ...params, member_id: member.id },
              revision: member.revision,
              body: { role: newRole },
            })
            await refresh(MEMBERS)
          }}
        >
          {t(`role.${newRole}Means`)}
        </Confirm>
      ) : null}
      {asking?.what === 'remove' && member !== undefined ? (
        <Confirm
          title={t('remove.title', { name: member.name ?? member.email })}
          action={t('remove.action')}
          close={() => setAsking(null)}
          run={async () => {
            await call('DELETE /panel/api/accounts/{account_id}/members/{member_id}', {
              params: { ...params, member_id: member.id },
            })
            await refresh(MEMBERS)
          }}
        >
          {member.is_you ? t('remove.you') : t('remove.text')}
        </Confirm>
      ) : null}
      {resending === null ? null : (
        <Confirm
          title={t('invite.again')}
          action={t('invite.again')}
          isDangerous={false}
          close={() => setResending(null)}
          run={() => sendAgain(resending)}
        >
          {resending.email}: {t('invite.againText')}
        </Confirm>
      )}
      {withdrawing === null ? null : (
        <Confirm
          title={t('withdraw.title', { email: withdrawing.email })}
          action={t('withdraw.action')}
          close={() => setWithdrawing(null)}
          run={async () => {
            await call('DELETE /panel/api/accounts/{account_id}/invitations/{invitation_id}', {
              params: { ...params, invitation_id: withdrawing.id },
            })
            await refresh(INVITATIONS)
          }}
        >
          {t('withdraw.text')}
        </Confirm>
      )}
    </Page>
  )
}

function useMemberColumns(
  isOwner: boolean,
  ask: (asked: { what: 'role' | 'remove'; member: Member }) => void,
): Column<Member>[] {
  const { t } = useTranslation(['people', 'shared'])
  return [
    {
      id: 'name',
      title: t('name'),
      sortBy: (member) => (member.name ?? member.email).toLowerCase(),
      cell: (member) => (
        <span dir="auto">
          {member.name ?? <span className={classes.quiet}>{t('noName')}</span>}
          {member.is_you ? <span className={classes.quiet}> · {t('you')}</span> : null}
        </span>
      ),
    },
    {
      id: 'email',
      title: t('email'),
      width: '26%',
      isWide: true,
      sortBy: (member) => member.email,
      cell: (member) => member.email,
    },
    {
      id: 'role',
      title: t('roleTitle'),
      width: '12%',
      sortBy: (member) => member.role,
      cell: (member) => t(`shared:roles.${member.role}`),
    },
    {
      id: 'factor',
      title: t('factor'),
      width: '15%',
      isWide: true,
      cell: (member) => (member.has_second_factor ? t('shared:yes') : t('shared:no')),
    },
    {
      id: 'seen',
      title: t('seen'),
      width: '15%',
      isWide: true,
      sortBy: (member) => member.seen_at ?? '',
      cell: (member) => <RelativeTime at={member.seen_at} empty={t('shared:never')} />,
    },
    {
      id: 'actions',
      title: '',
      width: '64px',
      isNumber: true,
      cell: (member) =>
        isOwner || member.is_you ? (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('actions', { name: member.name ?? member.email })}
              >
                <MoreIcon size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {isOwner ? (
                <Menu.Item onClick={() => ask({ what: 'role', member })}>
                  {t(member.role === 'owner' ? 'role.member' : 'role.owner')}
                </Menu.Item>
              ) : null}
              <Menu.Item c="var(--sw-bad)" onClick={() => ask({ what: 'remove', member })}>
                {t(member.is_you ? 'remove.leave' : 'remove.action')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        ) : null,
    },
  ]
}

function useInvitationColumns(
  isOwner: boolean,
  withdraw: (invitation: Invitation) => void,
  sendAgain: (invitation: Invitation) => void,
): Column<Invitation>[] {
  const { t } = useTranslation(['people', 'shared'])
  return [
    {
      id: 'email',
      title: t('email'),
      cell: (row) => (
        <>
          {row.email}
          {row.mail_error === null ? null : (
            <div title={row.mail_error}>
              <StateMark tone={row.mail_again_at === null ? 'bad' : 'warn'}>
                {t(row.mail_again_at === null ? 'invite.mailFailed' : 'invite.mailAgain')}
              </StateMark>
              {isOwner ? (
                <Button variant="subtle" size="compact-sm" onClick={() => sendAgain(row)}>
                  {t('invite.again')}
                </Button>
              ) : null}
            </div>
          )}
        </>
      ),
    },
    { id: 'role', title: t('roleTitle'), width: '14%', cell: (row) => t(`shared:roles.${row.role}`) },
    {
      id: 'by',
      title: t('invitedBy'),
      width: '20%',
      isWide: true,
      cell: (row) => row.invited_by ?? t('operator'),
    },
    { id: 'ends', title: t('ends'), width: '16%', isWide: true, cell: (row) => <RelativeTime at={row.expires_at} /> },
    {
      id: 'actions',
      title: '',
      width: '120px',
      isNumber: true,
      cell: (row) =>
        isOwner ? (
          <Button variant="subtle" size="compact-sm" onClick={() => withdraw(row)}>
            {t('withdraw.action')}
          </Button>
        ) : null,
    },
  ]
}
