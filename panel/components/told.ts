import { notifications } from '@mantine/notifications'
import i18next from 'i18next'

const SHOWN_MS = 4_000

/** Says that something was done, for a few seconds. */
export function tell(message: string): void {
  notifications.show({
    message,
    autoClose: SHOWN_MS,
    withBorder: true,
    closeButtonProps: { 'aria-label': i18next.t('close') },
  })
}
