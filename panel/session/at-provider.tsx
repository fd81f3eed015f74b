import { Button, type ButtonProps } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../api/client.ts'
import { useRead } from '../api/read.ts'
import { ProblemNote } from '../components/problem-note.tsx'
import { keepPendingSignIn } from './provider-answer.ts'
import { useSession } from './session.ts'

// Signing in at the identity provider: the browser is sent there and returns to the sign-in page.

/** The ways to sign in here; undefined until they are known. */
export function useSignInWays() {
  return useRead('GET /panel/api/sign-in').data?.data
}

/**
 * Whether the person must enter the password to change how they sign in. Those who sign in at the provider may have none, and confirm
 * in another way.
 */
export function useNeedsPassword(): boolean {
  const { person } = useSession()
  const provider = useSignInWays()?.provider ?? null
  return !person.at_provider || provider === null
}

/**
 * The button to the identity provider; nothing if there is none.
 * @param again makes the provider ask even a person who is signed in there
 */
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
      keepPendingSignIn({ ticket: data.ticket, next })
      location.assign(data.url)
      // never resolves: the button stays busy until the browser has left the page
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
