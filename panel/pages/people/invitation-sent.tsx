import { useTranslation } from 'react-i18next'
import { Confirm } from '../../components/dialog.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import type { SentInvitation } from './invite.tsx'

/** An invitation that was not mailed: its link, to be passed on, or why the mail failed. */
export function InvitationSent({ invitation, close }: { invitation: SentInvitation; close: () => void }) {
  const { t } = useTranslation(['people', 'shared'])
  if (invitation.link === null)
    return (
      <Confirm
        title={t('invite.failed', { email: invitation.email })}
        action={t('shared:close')}
        isDangerous={false}
        run={() => Promise.resolve()}
        close={close}
      >
        {t('invite.failedText')} {invitation.mail_error}
      </Confirm>
    )
  return (
    <ShownOnce title={t('invite.link')} label={t('invite.linkLabel')} secret={invitation.link} close={close}>
      <p>{t('invite.passOn', { email: invitation.email })}</p>
    </ShownOnce>
  )
}
