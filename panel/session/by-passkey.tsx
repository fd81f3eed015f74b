import { Button, type ButtonProps } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call, type Answer } from '../api/client.ts'
import { ProblemNote } from '../components/problem-note.tsx'
import { PasskeyIcon } from '../design/icons.tsx'
import { askForPasskey, canUsePasskeys } from './passkeys.ts'

type Asked = Answer<'POST /panel/api/sign-in/passkey/options'>['data']
type Answered = NonNullable<Awaited<ReturnType<typeof askForPasskey>>>

/** A button that asks the browser for a passkey. */
export function PasskeyButton({
  label,
  options,
  answer,
  ...button
}: ButtonProps & {
  label: string
  options: () => Promise<{ data: Asked }>
  /** Sends the browser's answer to the service. */
  answer: (body: { ticket: string; response: Answered }) => Promise<void>
}) {
  const ask = useMutation({
    mutationFn: async () => {
      const { data } = await options()
      const response = await askForPasskey(data.options)
      // null: the person cancelled
      if (response !== null) await answer({ ticket: data.ticket, response })
    },
  })
  return (
    <>
      <ProblemNote error={ask.error} />
      <Button
        {...button}
        variant="default"
        leftSection={<PasskeyIcon size={16} />}
        loading={ask.isPending}
        onClick={() => ask.mutate()}
      >
        {label}
      </Button>
    </>
  )
}

/** Confirms with a passkey that it is still the same person; nothing if the browser has no passkeys. */
export function ByPasskey({ done }: { done: () => void }) {
  const { t } = useTranslation()
  if (!canUsePasskeys()) return null
  return (
    <PasskeyButton
      mt="sm"
      label={t('confirmYou.passkey')}
      options={() => call('POST /panel/api/session/confirm/passkey/options')}
      answer={async (body) => {
        await call('POST /panel/api/session/confirm/passkey', { body })
        done()
      }}
    />
  )
}
