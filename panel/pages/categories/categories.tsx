import { Button, Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useResources } from '../../api/resources.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { TabList } from '../../components/tab-list.tsx'
import type { ResourceSpec } from '../../resources/field.ts'
import { byLocale, choice, lines, text, wholeNumber } from '../../resources/inputs.tsx'
import { ResourceWindows, useResourceAddress } from '../../resources/resource-page.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount } from '../../session/account.ts'
import { CategoryTree } from './category-tree.tsx'
import { SupplierPaths } from './supplier-paths.tsx'

/** The account's categories, and the suppliers' paths that are mapped to them. */
export function CategoriesPage() {
  const words = useResourceWords('categories')
  const account = useAccount()
  const address = useResourceAddress()
  const navigate = useNavigate()
  const categories = useResources(account.id, 'categories')
  const { data: taxClasses = [] } = useResources(account.id, 'tax-classes')
  const spec: ResourceSpec<'categories'> = {
    name: 'categories',
    key: 'id',
    required: ['path'],
    fixed: [],
    fields: {
      path: text({ placeholder: 'Tools/Hand tools' }),
      names: byLocale(),
      external_id: text({ isCode: true, isNullable: true }),
      position: wholeNumber(),
      tax_class: choice([
        { value: null, label: words.of('taxClassAbove') },
        ...taxClasses.map(({ key: value, name: label }) => ({ value, label })),
      ]),
      supplier_paths: lines(),
    },
    initial: {
      path: address.search.from ?? '',
      names: {},
      external_id: null,
      position: 0,
      tax_class: null,
      supplier_paths: [],
    },
    titleOf: (category) => category.path,
  }
  return (
    <Page
      title={words.of('title')}
      lead={words.of('lead')}
      actions={
        categories.data !== undefined && categories.data.length > 0 ? (
          <Button onClick={() => address.create()}>{words.of('create')}</Button>
        ) : undefined
      }
    >
      <Tabs
        value={address.search.tab ?? 'tree'}
        onChange={(tab) =>
          void navigate({ to: '.', search: { tab: tab === 'tree' ? undefined : tab }, replace: true } as never)
        }
        keepMounted={false}
      >
        <TabList chosen={address.search.tab ?? null} aria-label={words.of('title')}>
          <Tabs.Tab value="tree">{words.of('tree')}</Tabs.Tab>
          <Tabs.Tab value="paths">{words.of('paths')}</Tabs.Tab>
        </TabList>
        <Tabs.Panel value="tree" pt="md">
          <Loaded query={categories}>{(all) => <CategoryTree categories={all} />}</Loaded>
        </Tabs.Panel>
        <Tabs.Panel value="paths" pt="md">
          <Loaded query={categories}>{(all) => <SupplierPaths categories={all} />}</Loaded>
        </Tabs.Panel>
      </Tabs>
      <ResourceWindows
        spec={spec}
        typedToDelete={(category) => category.path}
        takes={(category) =>
          category.supplier_paths.length === 0 ? null : (
            <p>{words.of('takes', { count: category.supplier_paths.length })}</p>
          )
        }
        aside={(category) => (
          <p style={{ marginTop: 24 }}>
            <Button variant="default" onClick={() => address.create(`${category.path}/`)}>
              {words.of('below')}
            </Button>
          </p>
        )}
      />
    </Page>
  )
}
