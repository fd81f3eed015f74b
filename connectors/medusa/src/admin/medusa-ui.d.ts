// Types of the Medusa components that are used here. The shop brings the package.

declare module '@medusajs/ui' {
  import type { ComponentType, HTMLAttributes, PropsWithChildren, ReactNode } from 'react'

  type Plain = ComponentType<HTMLAttributes<HTMLElement> & { children?: ReactNode }>

  export const Badge: Plain
  export const Container: Plain
  export const Heading: ComponentType<PropsWithChildren<{ level?: 'h1' | 'h2' | 'h3'; className?: string }>>
  export const StatusBadge: ComponentType<PropsWithChildren<{ color: 'green' | 'orange' | 'red' | 'grey' }>>
  export const Text: ComponentType<PropsWithChildren<{ size?: 'small'; className?: string }>>
  export const Button: ComponentType<
    PropsWithChildren<{ variant?: 'secondary'; isLoading?: boolean; disabled?: boolean; onClick: () => void }>
  >
  export const Table: Plain & { Header: Plain; HeaderCell: Plain; Body: Plain; Row: Plain; Cell: Plain }
}
