import { PasswordInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'

/** Asks for the password before something of the sign-in itself is changed. */
export function PasswordStep<R>({
  title,
  text,
  action,
  submit,
  done,
  close,
}: {
  title: string
  text: string
  action: string
  submit: (password: string) => Promise<R>
  done: (result: R) => void
  close: () => void
}) {
  const { t } = useTranslation('profile')
  const form = useForm({ initial: { password: '' }, submit: ({ password }) => submit(password), done })
  return (
    <Dialog title={title} close={close}>
      <Form form={form} submit={action}>
        <p>{text}</p>
        <PasswordInput
          {...form.text('password')}
          label={t('password.yours')}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
          data-autofocus
        />
      </Form>
    </Dialog>
  )
}
