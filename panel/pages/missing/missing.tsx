import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../api/problem.ts'
import { Plain } from '../../components/plain.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'

/** The page of an unknown address. */
export function MissingPage() {
  const { t } = useTranslation('missing')
  return (
    <Plain title={t('page.title')}>
      <p>{t('page.text')}</p>
      <LinkButton to="/" mt="md">
        {t('home')}
      </LinkButton>
    </Plain>
  )
}

/** The page of an account that does not exist, or of which the person is not a member. */
export function MissingAccount() {
  const { t } = useTranslation('missing')
  return (
    <Plain title={t('account.title')}>
      <p>{t('account.text')}</p>
      <LinkButton to="/" mt="md">
        {t('home')}
      </LinkButton>
    </Plain>
  )
}

/** A page that failed to load or to render. */
export function FailedPage({ error }: { error: unknown }) {
  const { t } = useTranslation('missing')
  return (
    <Plain title={t('failed.title')}>
      {error instanceof Problem ? (
        <ProblemNote error={error} retry={() => location.reload()} />
      ) : (
        // a part of the page could not be loaded, for example after an upgrade of the service, or has a bug
        <>
          <p>{t('failed.text')}</p>
          <Button mt="md" onClick={() => location.reload()}>
            {t('failed.again')}
          </Button>
        </>
      )}
    </Plain>
  )
}
