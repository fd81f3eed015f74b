import { SOURCE_FIELDS } from '../../../contract/product-fields.ts'
import { useResources, type Resource } from '../../api/resources.ts'
import { Empty } from '../../components/loaded.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import type { Column } from '../../components/list.tsx'
import { Page, Sheet } from '../../components/page.tsx'
import type { ResourceSpec } from '../../resources/field.ts'
import { nameColumn, plainColumn } from '../../resources/columns.tsx'
import { choice, order } from '../../resources/inputs.tsx'
import { ResourcePage } from '../../resources/resource-page.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount } from '../../session/account.ts'
import { useFieldNames } from '../../words/field-names.ts'

/** The order of suppliers for each field. */
export function SourceOrdersPage() {
  const fieldName = useFieldNames()
  const words = useResourceWords('source-orders')
  const account = useAccount()
  const suppliers = useResources(account.id, 'suppliers')
  const known = suppliers.data ?? []
  const nameOf = (id: number) => known.find((supplier) => supplier.id === id)?.name ?? String(id)
  const suppliersOf = (item: Resource<'source-orders'>) => item.supplier_ids.map(nameOf).join(' → ')
  const fields = SOURCE_FIELDS.map((value) => ({ value: value as string, label: fieldName(value) }))
  const fieldOf = (name: string) => fields.find(({ value }) => value === name)?.label ?? name
  const spec: ResourceSpec<'source-orders'> = {
    name: 'source-orders',
    key: 'field',
    required: ['field', 'supplier_ids'],
    fixed: ['field'],
    fields: {
      field: choice(fields),
      supplier_ids: order(known.map(({ id, name }) => ({ value: id, label: name }))),
    },
    initial: { field: 'title', supplier_ids: [] },
    titleOf: (item) => fieldOf(item.field),
  }
  const columns: Column<Resource<'source-orders'>>[] = [
    nameColumn('field', words.label('field'), (item) => fieldOf(item.field)),
    plainColumn('suppliers', words.label('supplier_ids'), '70%', suppliersOf),
  ]
  if (suppliers.data?.length === 0)
    return (
      <Page title={words.of('title')} lead={words.of('lead')}>
        <Sheet>
          <Empty action={<LinkButton to={`/${account.id}/suppliers`}>{words.of('suppliers')}</LinkButton>}>
            {words.of('noSuppliers')}
          </Empty>
        </Sheet>
      </Page>
    )
  return <ResourcePage spec={spec} isReady={suppliers.data !== undefined} columns={columns} phoneLine={suppliersOf} />
}
