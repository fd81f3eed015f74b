import type { Resource } from '../../api/resources.ts'
import type { Column } from '../../components/list.tsx'
import type { ResourceSpec } from '../../resources/field.ts'
import { nameColumn, Special } from '../../resources/columns.tsx'
import { choice, text } from '../../resources/inputs.tsx'
import { ResourcePage } from '../../resources/resource-page.tsx'
import { useResourceWords } from '../../resources/words.ts'

/** Customer groups. Each has a price in every payload. */
export function GroupsPage() {
  const words = useResourceWords('groups')
  const spec: ResourceSpec<'groups'> = {
    name: 'groups',
    key: 'id',
    required: ['name'],
    fixed: [],
    fields: {
      name: text(),
      prices_include_tax: choice([
        { value: null, label: words.of('tax.asStore') },
        { value: true, label: words.of('tax.with') },
        { value: false, label: words.of('tax.without') },
      ]),
      tax_country: text({ isCode: true, placeholder: 'AT', isNullable: true }),
    },
    initial: { name: '', prices_include_tax: null, tax_country: null },
    titleOf: (group) => group.name,
  }
  const columns: Column<Resource<'groups'>>[] = [
    nameColumn(
      'name',
      words.label('name'),
      (group) => group.name,
      (group) => (group.is_default ? <Special>{words.of('isDefault')}</Special> : null),
    ),
  ]
  return (
    <ResourcePage
      spec={spec}
      columns={columns}
      typedToDelete={(group) => group.name}
      keptBecause={(group) => (group.is_default ? words.of('kept') : null)}
    />
  )
}
