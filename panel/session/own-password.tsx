import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The field for a person's existing password, in contrast to a new one: browsers and password managers fill it in. */
export function OwnPassword(props: Omit<PasswordInputProps, 'autoComplete' | 'visibilityToggleButtonProps'>) {
  const { t } = useTranslation(['shared', 'sign-in'])
  return (
    <PasswordInput
      label={t('confirmYou.password')}
      {...props}
      autoComplete="current-password"
      visibilityToggleButtonProps={{ 'aria-label': t('sign-in:show') }}
    />
  )
}
