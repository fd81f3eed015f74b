import { useLayoutEffect } from 'react'

/**
 * While the component is there the focus is elsewhere, in a window; afterwards it is where it was. What is gone by then, or was never
 * in the page, is replaced by the page's title. Mantine returns the focus only from windows that stay mounted.
 */
export function useFocusReturn(): void {
  useLayoutEffect(() => {
    const opener = openerOf(document.activeElement)
    return () => {
      const isThere = opener?.isConnected === true && opener !== document.body
      const to = isThere ? opener : document.querySelector<HTMLElement>('main h1')
      to?.focus({ preventScroll: true })
    }
  }, [])
}

/** A menu closes as its item opens a window: its button is what the focus returns to. */
function openerOf(active: Element | null): HTMLElement | null {
  const button = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return button === null || button === undefined ? (active as HTMLElement | null) : document.getElementById(button)
}
