import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../components/link-button.tsx'
import { Plain } from '../../components/plain.tsx'
import { ProviderButton, useSignInWays } from '../../session/at-provider.tsx'
import { ByPasskey } from '../../session/by-passkey.tsx'
import type { OwnAccount } from '../../session/account.ts'
import { useSession } from '../../session/session.ts'

/** An account that requires a second factor, which this session does not have. Its data is not shown. */
export function SecondFactorNeeded({ account }: { account: OwnAccount }) {
  const { t } = useTranslation(['missing', 'sign-in'])
  const { person, accounts } = useSession()
  const { local: isLocal = true, provider = null } = useSignInWays() ?? {}
  return (
    <Plain title={t('factor.title')}>
      <p>{t('factor.text', { account: account.name })}</p>
      {provider === null ? null : (
        <>
          <p>{t('factor.provider', { label: provider.label ?? t('sign-in:provider.unnamed') })}</p>
          <ProviderButton again variant="default" next={`/${account.id}/overview`} />
        </>
      )}
      {isLocal && person.passkeys > 0 ? <ByPasskey done={() => location.reload()} /> : null}
      <LinkButton to="/profile" variant="filled" mt="md">
        {t(isLocal ? 'factor.setUp' : 'factor.setUpCodes')}
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
