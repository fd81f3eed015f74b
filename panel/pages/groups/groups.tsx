import { useTranslation } from 'react-i18next'
import type { Resource } from '../../api/resources.ts'
import type { Column } from '../../components/list.tsx'
import type { ResourceSpec } from '../../resources/field.ts'
import { nameColumn, numberColumn, plainColumn } from '../../resources/columns.tsx'
import { text } from '../../resources/inputs.tsx'
import { ResourcePage } from '../../resources/resource-page.tsx'
import { useResourceWords } from '../../resources/words.ts'

const SPEC: ResourceSpec<'groups'> = {
  name: 'groups',
  key: 'id',
  required: ['name'],
  fixed: [],
  fields: { name: text() },
  initial: { name: '' },
  titleOf: (group) => group.name,
}

/** Customer groups: each has a price in every payload. */
export function GroupsPage() {
  const { t } = useTranslation('resources')
  const words = useResourceWords('groups')
  const columns: Column<Resource<'groups'>>[] = [
    nameColumn('name', words.label('name'), (group) => group.name),
    plainColumn('default', t('default'), '24%', (group) => (group.is_default ? words.of('isDefault') : '')),
    numberColumn('id', t('id'), '14%', (group) => group.id),
  ]
  return (
    <ResourcePage
      spec={SPEC}
      columns={columns}
      phoneLine={(group) => (group.is_default ? words.of('isDefault') : '')}
      typedToDelete={(group) => group.name}
      keptBecause={(group) => (group.is_default ? words.of('kept') : null)}
    />
  )
}
