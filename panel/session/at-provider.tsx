import { Button, type ButtonProps } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../api/client.ts'
import { useRead } from '../api/read.ts'
import { ProblemNote } from '../components/problem-note.tsx'
import { keepBegun } from './provider-answer.ts'
import { useSession } from './session.ts'

// Signing in at the identity provider: the browser goes there and comes back to the sign-in page.

/** How one signs in here; undefined until it is known. */
export function useSignInWays() {
  return useRead('GET /panel/api/sign-in').data?.data
}

/** Whether the person gives a password to change how they sign in; who signs in at the provider may have none, and confirms instead. */
export function useNeedsPassword(): boolean {
  const { person } = useSession()
  const provider = useSignInWays()?.provider ?? null
  return !person.at_provider || provider === null
}

/** The button that leads to the identity provider; nothing where there is none. @param again asks also who is signed in there */
export function ProviderButton({
  next = '/',
  again = false,
  ...button
}: ButtonProps & { next?: string; again?: boolean }) {
  const { t } = useTranslation('sign-in')
  const provider = useSignInWays()?.provider ?? null
  const go = useMutation({
    mutationFn: async () => {
      const { data } = await call('POST /panel/api/sign-in/provider/begin', { body: { again } })
      keepBegun({ ticket: data.ticket, next })
      location.assign(data.url)
      // the page stays until the next one is there
      await new Promise(() => {})
    },
  })
  if (provider === null) return null
  const label = provider.label ?? t('provider.unnamed')
  return (
    <>
      <ProblemNote error={go.error} />
      <Button {...button} loading={go.isPending} onClick={() => go.mutate()}>
        {t(again ? 'provider.again' : 'provider.button', { label })}
      </Button>
    </>
  )
}
