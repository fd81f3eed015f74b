// Types of Vendure's dashboard, as far as they are used. The shop brings the package.

declare module '@vendure/dashboard' {
  import type { ComponentType, PropsWithChildren } from 'react'

  export function defineDashboardExtension(of: {
    routes: {
      path: string
      component: ComponentType
      navMenuItem: { sectionId: string; id: string; title: string; requiresPermission: string[] }
    }[]
  }): void

  export const api: {
    query(document: string): Promise<unknown>
    mutate(document: string, variables: object): Promise<unknown>
  }

  export const Page: ComponentType<PropsWithChildren<{ pageId: string }>>
  export const PageTitle: ComponentType<PropsWithChildren>
  export const PageLayout: ComponentType<PropsWithChildren>
  export const PageBlock: ComponentType<PropsWithChildren<{ column: 'main' | 'side'; blockId: string; title: string }>>
  export const Badge: ComponentType<PropsWithChildren<{ variant: 'success' | 'warning' | 'destructive' | 'secondary' }>>
  export const Button: ComponentType<PropsWithChildren<{ variant: 'outline'; disabled: boolean; onClick: () => void }>>
}
