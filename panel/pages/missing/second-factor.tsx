import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../components/link-button.tsx'
import { Plain } from '../../components/plain.tsx'
import { ByPasskey } from '../../session/by-passkey.tsx'
import type { OwnAccount } from '../../session/account.ts'
import { useSession } from '../../session/session.ts'

/** An account that requires a second factor, which this session does not have: its data is not shown. */
export function SecondFactorNeeded({ account }: { account: OwnAccount }) {
  const { t } = useTranslation('missing')
  const { person, accounts } = useSession()
  return (
    <Plain title={t('factor.title')}>
      <p>{t('factor.text', { account: account.name })}</p>
      {person.passkeys > 0 ? <ByPasskey done={() => location.reload()} /> : null}
      <LinkButton to="/profile" variant="filled" mt="md">
        {t('factor.setUp')}
      </LinkButton>
      {accounts
        .filter((own) => !own.needs_second_factor && own.suspended === null)
        .map((own) => (
          <LinkButton key={own.id} to={`/${own.id}/overview`} mt="sm">
            <bdi>{own.name}</bdi>
          </LinkButton>
        ))}
    </Plain>
  )
}
