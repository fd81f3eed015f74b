import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../components/link-button.tsx'
import { Plain } from '../../components/plain.tsx'
import type { OwnAccount } from '../../session/account.ts'
import { useSession } from '../../session/session.ts'
import { useFormats } from '../../words/format.ts'
import classes from './missing.module.css'

/** An account that the operator has suspended: the reason, and that nothing is lost. */
export function Suspended({ account }: { account: OwnAccount }) {
  const { t } = useTranslation('missing')
  const { accounts } = useSession()
  const { exact } = useFormats()
  if (account.suspended === null) return null
  const { since, reason } = account.suspended
  return (
    <Plain title={t('suspended.title')}>
      <div className={classes.paragraphs}>
        <p>{t('suspended.text', { account: account.name, since: exact(new Date(since)) })}</p>
        {reason === null ? null : (
          <p>
            {t('suspended.reason')} <bdi>{reason}</bdi>
          </p>
        )}
        <p>{t('suspended.kept')}</p>
      </div>
      {accounts
        .filter((own) => own.suspended === null)
        .map((own) => (
          <LinkButton key={own.id} to={`/${own.id}/overview`} mt="sm">
            <bdi>{own.name}</bdi>
          </LinkButton>
        ))}
      <LinkButton to="/profile" mt="sm">
        {t('suspended.profile')}
      </LinkButton>
    </Plain>
  )
}
