import { useMediaQuery } from '@mantine/hooks'

/** Whether the window is as narrow as a phone's: the same width as in the style sheets. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 720px)', undefined, { getInitialValueInEffect: false })
}
