import { useResources } from '../api/resources.ts'
import { useAccount } from '../session/account.ts'

/** The name of a store by its slug, which stands for it until the stores are read. */
export function useStoreName(): (slug: string) => string {
  const { id } = useAccount()
  const { data: stores = [] } = useResources(id, 'stores')
  return (slug) => stores.find((store) => store.slug === slug)?.name ?? slug
}
