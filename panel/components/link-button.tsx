import { Button, type ButtonProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A link that looks like a button. It navigates and changes nothing. */
export function LinkButton({
  to,
  search,
  children,
  ...button
}: ButtonProps & { to: string; search?: Record<string, unknown>; onClick?: () => void; children: ReactNode }) {
  return (
    <Button
      variant="default"
      {...button}
      renderRoot={(props: object) => <Link to={to} {...(search === undefined ? {} : { search })} {...props} />}
    >
      {children}
    </Button>
  )
}
