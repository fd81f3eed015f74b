import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Where a person types the password that they have, in contrast to a new one: browsers and password managers fill it in. */
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
